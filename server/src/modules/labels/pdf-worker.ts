import { parentPort, workerData } from "node:worker_threads";
import { type LabelFile, labelsDocument } from "./labels-document.ts";

parentPort?.postMessage(await labelsDocument(workerData as LabelFile));
