import type { LabelSheet } from "@telltale/contract/domains/fleet/labels";
import type { Content } from "pdfmake/interfaces.js";
import { encode } from "uqr";
import { createPdf, paper } from "../../platform/pdf.ts";
import { linesOf, type Place, placeOf } from "./layout.rules.ts";

/** What is printed on one label. */
export interface Label {
  /** Empty for a device that no plant has. */
  name: string;
  partNumber: string;
  deviceSnId: string;
  /** Content of the QR code. */
  link: string;
}

export interface LabelFile {
  sheet: LabelSheet;
  /** Labels of the first sheet that are left out. */
  skip: number;
  labels: readonly Label[];
}

/** Points: between a label's edge and what is printed, which printers miss by a millimetre. */
const edge = 8;

/** Widths of a character for each point of its size: IBM Plex Mono's, and on average IBM Plex Sans's in semi-bold. */
const mono = 0.6;
const sans = 0.58;

/** Characters before P/N and ID. */
const captionLength = 4;

/** Line height for each point of size. */
const leading = 1.25;

interface Line {
  text: string;
  size: number;
  /** Before a text in the monospaced font. */
  caption?: string;
}

/** The lines beside the QR code: the name, P/N and ID, in sizes that fit. */
const linesBeside = ({ name, partNumber, deviceSnId }: Label, width: number, isSmall: boolean): Line[] => {
  const [large, small] = isSmall ? [7, 5.5] : [10, 7.5];
  const captioned = (caption: string, text: string): Line[] =>
    linesOf(text, Math.floor(width / (small * mono)) - captionLength, 2).map((line, at) => ({
      text: line,
      size: small,
      caption: (at === 0 ? caption : "").padEnd(captionLength),
    }));
  const named = linesOf(name || partNumber, Math.floor(width / (large * sans)), 2);
  return [
    ...named.map((text) => ({ text, size: large })),
    ...(name === "" ? [] : captioned("P/N", partNumber)),
    ...captioned("ID", deviceSnId),
  ];
};

/** A QR code as one path, so that no hairlines show between its modules. Its size is exact: pdfmake's own codes have modules of whole points. */
const qrCode = (link: string, side: number): string => {
  const { data, size } = encode(link, { ecc: "M", border: 0 });
  const modules = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 ${size} ${size}"><path d="${modules.join("")}" fill="#000"/></svg>`;
};

const contentOf = (label: Label, { x, y, width, height }: Place): Content[] => {
  const side = Math.min(height - 2 * edge, width * 0.42);
  const beside = x + side + 2 * edge;
  const lines = linesBeside(label, x + width - edge - beside, height < 80);
  const total = lines.reduce((sum, { size }) => sum + size * leading, 0);
  let top = y + (height - total) / 2;
  const texts = lines.map(({ text, size, caption }): Content => {
    const place = { fontSize: size, lineHeight: 1, noWrap: true, absolutePosition: { x: beside, y: top } };
    top += size * leading;
    if (caption === undefined) return { text, bold: true, ...place };
    const parts = [{ text: caption, color: paper.soft, preserveLeadingSpaces: true }, { text }];
    return { text: parts, font: "Mono", preserveLeadingSpaces: true, ...place };
  });
  const at = { x: x + edge, y: y + (height - side) / 2 };
  return [{ svg: qrCode(label.link, side), width: side, absolutePosition: at }, ...texts];
};

/** A sheet's labels. What has an absolute position makes no page, so that each further sheet begins with an empty text. */
const sheets = ({ labels, sheet, skip }: LabelFile): Content[] => {
  let last = 0;
  return labels.flatMap((label, at) => {
    const place = placeOf(sheet, skip + at);
    const isNext = place.sheet > last;
    last = place.sheet;
    return [...(isNext ? [{ text: "", pageBreak: "before" as const }] : []), ...contentOf(label, place)];
  });
};

/** Labels as PDF. Print it at its actual size. */
export const labelsDocument = async (file: LabelFile): Promise<Buffer> =>
  createPdf({ info: { title: "Device labels" }, pageMargins: 0, content: sheets(file) }).getBuffer();
