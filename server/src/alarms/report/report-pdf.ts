import type { AlertReport } from "@telltale/contract/domains/alerting/report";
import { pdfOfWorker } from "../../platform/pdf-worker.ts";

let last: Promise<unknown> = Promise.resolve();

/** The report as PDF; one at a time is rendered. */
export const reportPdf = (report: AlertReport): Promise<Buffer> => {
  const pdf = last.catch(() => undefined).then(() => pdfOfWorker(new URL("./pdf-worker.ts", import.meta.url), report));
  last = pdf;
  return pdf.then((content) => Buffer.from(content));
};
