import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { marked } from "marked";
import { expect, test } from "vitest";
import type { GuideManual } from "../guide/guide.ts";
import { readMaterial } from "../guide/material.ts";
import { manualPdf } from "./manual-pdf.ts";

const material = await readMaterial(join(import.meta.dirname, "../../../../../docs/guide"));

/** Texts that a PDF's objects hold beside the pages: outline, destinations. */
const objectsOf = async (name: string): Promise<string> => {
  const manual = material.guide.manuals.find((each) => each.name === name);
  if (!manual) throw new Error(`No manual ${name}`);
  const content = await manualPdf(manual, material.pictures).getBuffer();
  return content.toString("latin1");
};

const textOf = (pdf: string, pattern: RegExp): string[] => [...pdf.matchAll(pattern)].map(([, found = ""]) => found);

test.each(material.guide.manuals.map(({ name, pages }) => [name, pages] as const))(
  "%s has a place for every chapter and part, an outline, and every link within it leads to a place",
  async (name, pages) => {
    const pdf = await objectsOf(name);
    const places = new Set(textOf(pdf, /\(([\w#-]+)\) \[\d+ 0 R \/XYZ/g));
    for (const page of pages) expect([...places], page.title).toContain(page.name);
    const outline = textOf(pdf, /\/Title \(([^)]+)\)/g);
    for (const page of pages) expect(outline).toContain(page.title);
    const wanted = textOf(pdf, /\/S \/GoTo\s+\/D \(([\w#-]+)\)/g);
    expect(wanted.length).toBeGreaterThan(pages.length);
    for (const place of wanted) expect([...places], place).toContain(place);
    expect(pdf.match(/\/Type \/Page$/gm)?.length).toBeGreaterThan(pages.length);
  },
);

/** A line as pdfmake has placed it, which its types leave out. */
interface Line {
  x: number;
  getWidth(): number;
  inlines: { text: string }[];
}

interface Layout {
  _pdfMakePages: { items: { type: string; item: Line }[] }[];
  provideFont(family: string): { font: { hasGlyphForCodePoint(point: number): boolean } };
}

const layoutOf = async (manual: GuideManual): Promise<Layout> =>
  (await manualPdf(manual, material.pictures).getStream()) as unknown as Layout;

test("the fonts can write every character of the guide", async () => {
  const [manual] = material.guide.manuals;
  if (!manual) throw new Error("The guide has no manual");
  const { font } = (await layoutOf(manual)).provideFont("Sans");
  const texts = JSON.stringify(material.guide, (key, value) => (key === "raw" ? undefined : value));
  const missing = [...new Set(texts)].filter(
    (sign) => sign.trim() !== "" && !font.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0),
  );
  expect(missing).toEqual([]);
});

const pageOf = (name: string, text: string): GuideManual => ({
  name,
  title: name,
  pages: [{ name, title: name, tokens: marked.lexer(text) }],
});

const endless = "AnIdentifierWithoutAnEnd".repeat(12);

test.each([
  ...material.guide.manuals,
  pageOf("text", `short words and ${endless} again`),
  pageOf("code", `text and \`${endless}\`\n\n\`\`\`\n${endless}\n\`\`\`\n`),
  pageOf("list", `- ${endless}\n- \`${endless}\`\n`),
])("no line of $name reaches beyond the right edge of the text", async (manual) => {
  const lines = (await layoutOf(manual))._pdfMakePages.flatMap(({ items }) =>
    items.flatMap(({ type, item }) => (type === "line" ? [item] : [])),
  );
  expect(lines.length).toBeGreaterThan(5);
  const tooLong = lines.filter((line) => line.x + line.getWidth() > 595.28 - 62 + 0.5);
  expect(tooLong.map(({ inlines }) => inlines.map(({ text }) => text).join(""))).toEqual([]);
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
