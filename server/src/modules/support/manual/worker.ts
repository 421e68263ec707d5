import { parentPort, workerData } from "node:worker_threads";
import { readMaterial } from "../guide/material.ts";
import { manualPdf } from "./manual-pdf.ts";

/** The manual to render, and the guide's folder. */
export interface ManualRequest {
  folder: string;
  name: string;
}

const { folder, name } = workerData as ManualRequest;
const { guide, pictures } = await readMaterial(folder);
const manual = guide.manuals.find((each) => each.name === name);
if (!manual) throw new Error(`The guide has no manual ${name}`);
parentPort?.postMessage(await manualPdf(manual, pictures).getBuffer());
