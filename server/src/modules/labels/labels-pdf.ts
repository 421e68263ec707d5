import { programFile } from "../../platform/installed.ts";
import { pdfOfWorker } from "../../platform/pdf-worker.ts";
import { createTurns } from "../../platform/turns.ts";
import type { LabelFile } from "./labels-document.ts";

const inTurn = createTurns(1);

/** Labels as PDF. One file at a time is rendered; `plantId` is whose, 0 for an operator's. */
export const labelsPdf = async (plantId: number, file: LabelFile): Promise<Buffer> =>
  Buffer.from(await inTurn(plantId, () => pdfOfWorker(programFile("server/src/modules/labels/pdf-worker.ts"), file)));
