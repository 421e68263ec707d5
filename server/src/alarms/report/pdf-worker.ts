import { parentPort, workerData } from "node:worker_threads";
import type { AlertReport } from "@telltale/contract/domains/alerting/report";
import { reportDocument } from "./report-document.ts";

parentPort?.postMessage(await reportDocument(workerData as AlertReport));
