import { parentPort, workerData } from "node:worker_threads";
import { type LabelFile, labelsDocument } from "./labels-document.ts";

const file: LabelFile = workerData;
parentPort?.postMessage(await labelsDocument(file));
