import type { AlertReport } from "@telltale/contract/domains/alerting/report";
import { programFile } from "../../platform/installed.ts";
import { pdfOfWorker } from "../../platform/pdf-worker.ts";
import { createTurns } from "../../platform/turns.ts";

const inTurn = createTurns(1);
const render = (report: AlertReport): Promise<Uint8Array> =>
  pdfOfWorker(programFile("server/src/alarms/report/pdf-worker.ts"), report);

const underWay = new Map<string, Promise<Buffer>>();

/** The plant's report as PDF. One at a time is rendered; requests for the same month at the same time share it. */
export const reportPdf = (plantId: number, report: AlertReport, make = render): Promise<Buffer> => {
  const key = `${plantId} ${report.month}`;
  const pdf =
    underWay.get(key) ??
    inTurn(plantId, () => make(report))
      .then((content) => Buffer.from(content))
      .finally(() => underWay.delete(key));
  underWay.set(key, pdf);
  return pdf;
};
