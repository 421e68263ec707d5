import { Readable } from "node:stream";
import type { alertReports } from "@telltale/contract/domains/alerting/report";
import type { Handlers } from "../../platform/http/mount.ts";
import type { World } from "../../world.ts";
import { createReports } from "./report.ts";
import { reportPdf } from "./report-pdf.ts";

export const alertReportRoutes = (world: Pick<World, "db" | "clock">): Handlers<typeof alertReports> => {
  const read = createReports(world);
  return {
    read: ({ month }, { plantId }) => read(plantId, month),
    pdf: async ({ month }, { plantId }) => {
      const report = await read(plantId, month);
      return { name: `alert-report-${report.month}.pdf`, content: Readable.from([await reportPdf(plantId, report)]) };
    },
  };
};
