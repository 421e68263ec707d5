import { z } from "zod";
import { getFile } from "../../call/call.ts";
import * as wire from "../../call/wire.ts";

/** Grids of self-adhesive labels on A4. */
export const LabelSheet = { large: 1, medium: 2, small: 3 } as const;
export type LabelSheet = (typeof LabelSheet)[keyof typeof LabelSheet];

interface Grid {
  columns: number;
  rows: number;
  /** Millimetres: of a label, of the margins above and on the left of the first, and of the gap between columns. */
  width: number;
  height: number;
  top: number;
  left: number;
  gap: number;
}

/** The sheets that office suppliers sell most. */
export const labelGrids: Record<LabelSheet, Grid> = {
  1: { columns: 2, rows: 7, width: 99.1, height: 38.1, top: 15.1, left: 4.65, gap: 2.5 },
  2: { columns: 3, rows: 7, width: 63.5, height: 38.1, top: 15.1, left: 7.25, gap: 2.5 },
  3: { columns: 4, rows: 12, width: 45.7, height: 21.2, top: 21.3, left: 9.85, gap: 2.5 },
};

export const labelSheetNames: Record<LabelSheet, string> = {
  1: "14 a sheet, 99.1 × 38.1 mm",
  2: "21 a sheet, 63.5 × 38.1 mm",
  3: "48 a sheet, 45.7 × 21.2 mm",
};

/** Most labels of one file. */
export const mostLabels = 1_000;

/** Labels with the QR codes by which devices are added. */
export const labels = {
  pdf: getFile("/api/device/labels", {
    access: "devices.labels",
    summary: "Labels of devices of the plant as PDF, each with a QR code that opens the console's Add device",
    file: "application/pdf",
    query: z.object({
      sheet: wire.oneOf(LabelSheet, "Choose a sheet of labels"),
      /** Without them: of all devices. */
      deviceIds: wire.commaList(wire.int("Choose devices from the list")).optional(),
      /** Labels of the first sheet that are used already. */
      skip: wire.intBetween(0, 47).optional(),
    }),
  }),
};
