import type { AlertReport } from "@telltale/contract/domains/alerting/report";
import { expect, test } from "vitest";
import { createReports } from "./report.ts";
import { reportPdf } from "./report-pdf.ts";

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
};

test("a plant's reports are calculated one at a time, those of all plants and readers two at a time", async () => {
  const running: number[] = [];
  const seen = { ofPlant: 0, ofAll: 0, calculated: 0 };
  const calculate = async (_: unknown, plantId: number, month = "") => {
    running.push(plantId);
    seen.ofPlant = Math.max(seen.ofPlant, running.filter((each) => each === plantId).length);
    seen.ofAll = Math.max(seen.ofAll, running.length);
    await turns(3);
    running.splice(running.indexOf(plantId), 1);
    seen.calculated += 1;
    return { month } as AlertReport;
  };
  const none = {} as Parameters<typeof createReports>[0];
  const [screens, mails] = [createReports(none, calculate), createReports(none, calculate)];
  const months = ["2026-01", "2026-02", "2026-02", "2026-03"];
  const reports = [1, 2, 3].flatMap((plantId) => months.map((month) => screens(plantId, month)));
  const read = await Promise.all([...reports, mails(1, "2026-01")]);
  expect(read.map(({ month }) => month)).toEqual([...months, ...months, ...months, "2026-01"]);
  expect(seen).toEqual({ ofPlant: 1, ofAll: 2, calculated: 10 });
});

test("a month's PDF is made once for all who wait for it", async () => {
  const made: string[] = [];
  const make = async ({ month, plantName }: AlertReport) => {
    made.push(`${plantName} ${month}`);
    await turns(3);
    return Buffer.from(plantName);
  };
  const report = (plantName: string, month: string) => ({ plantName, month }) as AlertReport;
  const wanted = [1, 1, 2, 1].map((plantId) => reportPdf(plantId, report(`Plant ${plantId}`, "2026-10"), make));
  wanted.push(reportPdf(1, report("Plant 1", "2026-09"), make));
  expect((await Promise.all(wanted)).map(String)).toEqual(["Plant 1", "Plant 1", "Plant 2", "Plant 1", "Plant 1"]);
  expect(made).toEqual(["Plant 1 2026-10", "Plant 2 2026-10", "Plant 1 2026-09"]);
});
