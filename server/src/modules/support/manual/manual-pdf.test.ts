import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { readMaterial } from "../guide/material.ts";
import { linesOf } from "./lines.ts";
import { manualPdf } from "./manual-pdf.ts";
import { openSheet } from "./sheet.ts";

const material = await readMaterial(join(import.meta.dirname, "../../../../../docs/guide"));

/** Texts in a PDF outside its pages: outline, destinations. */
const objectsOf = async (name: string): Promise<string> => {
  const manual = material.guide.manuals.find((each) => each.name === name);
  if (!manual) throw new Error(`No manual ${name}`);
  const content = await buffer(manualPdf(manual, material.pictures));
  return content.toString("latin1");
};

const textOf = (pdf: string, pattern: RegExp): string[] => [...pdf.matchAll(pattern)].map(([, found = ""]) => found);

test.each(material.guide.manuals.map(({ name, pages }) => [name, pages] as const))(
  "%s has a place for every chapter and part, and every link within it leads to one",
  async (name, pages) => {
    const pdf = await objectsOf(name);
    const places = new Set(textOf(pdf, /\(([\w#-]+)\) \[\d+ 0 R \/XYZ/g));
    for (const page of pages) expect([...places], page.title).toContain(page.name);
    const wanted = textOf(pdf, /\/S \/GoTo\s+\/D \(([\w#-]+)\)/g);
    expect(wanted.length).toBeGreaterThan(pages.length);
    for (const place of wanted) expect([...places], place).toContain(place);
    expect(pdf.match(/\/Type \/Page$/gm)?.length).toBeGreaterThan(pages.length);
  },
);

test("the fonts can write every character of the guide", () => {
  const { pdf } = openSheet("Characters");
  // pdfkit's types lack the current font.
  const font = (pdf.font("regular") as unknown as { _font: { font: { hasGlyphForCodePoint(point: number): boolean } } })
    ._font.font;
  const texts = JSON.stringify(material.guide, (key, value) => (key === "raw" ? undefined : value));
  const missing = [...new Set(texts)].filter(
    (sign) => sign.trim() !== "" && !font.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0),
  );
  expect(missing).toEqual([]);
});

test("a line is never wider than its column, also where a word is longer than it", () => {
  const { pdf } = openSheet("Lines");
  const style = { face: "regular", size: 10, colour: "#000" } as const;
  const text = `short words and ${"AnIdentifierWithoutAnEnd".repeat(12)} again`;
  const lines = linesOf(pdf, [{ text, style }], 150);
  expect(lines.length).toBeGreaterThan(5);
  for (const line of lines) expect(line.reduce((sum, { width }) => sum + width, 0)).toBeLessThanOrEqual(150.5);
  const written = lines.map((line) => line.map((fragment) => fragment.text).join("")).join("");
  expect(written.replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
});

test("every page says which it is and of how many", async () => {
  const pdf = Buffer.from(await objectsOf("device-manual"), "latin1");
  const pages = pdf.toString("latin1").match(/\/Type \/Page$/gm)?.length;
  // Text is written as glyphs of subset fonts; what can be counted is that no page is without a stream.
  const streams = [...pdf.toString("latin1").matchAll(/\/Filter \/FlateDecode\n>>\nstream\n/g)];
  expect(streams.length).toBeGreaterThanOrEqual(Number(pages));
  const [first] = streams;
  const start = Number(first?.index) + String(first?.[0]).length;
  expect(inflateSync(pdf.subarray(start)).length).toBeGreaterThan(0);
});
