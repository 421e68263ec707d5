import type { Readable } from "node:stream";
import GithubSlugger from "github-slugger";
import type { Token, Tokens } from "marked";
import { type GuideManual, type GuidePage, isToken } from "../guide/guide.ts";
import type { GuidePicture } from "../guide/pictures.ts";
import { drawBlocks } from "./blocks.ts";
import { drawContents, drawFeet, drawTitle, type Entry, reserveContents } from "./contents.ts";
import { drawText } from "./lines.ts";
import type { PlaceOf } from "./runs.ts";
import { colour, openSheet, type Sheet } from "./sheet.ts";

const titleSize = 20;

const isPart = (token: Token): token is Tokens.Heading => isToken(token, "heading") && token.depth === 2;

/** Maps links to places named as in the guide's addresses: the page, and a section of it. */
const placesIn =
  (manual: GuideManual, page: GuidePage): PlaceOf =>
  (href) => {
    const [, name = "", part = ""] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
    if (manual.pages.some((each) => each.name === name)) return `#${name}${part}`;
    if (href.startsWith("#")) return `#${page.name}${href}`;
    return /^https?:/.test(href) ? href : undefined;
  };

/** Records where headings are, for contents, links and outline. */
const createRegister = ({ pdf, ...sheet }: Sheet, at: () => number) => {
  const entries: Entry[] = [];
  let chapter: PDFKit.PDFOutline | undefined;
  const add = (title: string, place: string, depth?: Entry["depth"]) => {
    pdf.addNamedDestination(place, "XYZ", sheet.left, at(), 0);
    if (depth === 1) chapter = pdf.outline.addItem(title);
    if (depth === 2) chapter?.addItem(title);
    if (depth) entries.push({ title, depth, place, page: pdf.bufferedPageRange().count - 1 });
  };
  return { entries, add };
};

const drawChapter = (
  sheet: Sheet,
  manual: GuideManual,
  page: GuidePage,
  pictures: ReadonlyMap<string, GuidePicture>,
  register: ReturnType<typeof createRegister>,
): void => {
  sheet.newPage();
  register.add(page.title, page.name, 1);
  const style = { face: "bold", size: titleSize, colour: colour.text } as const;
  drawText(sheet, [{ text: page.title, style }], titleSize);
  sheet.gap(10);
  const slugger = new GithubSlugger();
  const parts = new Set(page.tokens.filter(isPart).map(({ text }) => text));
  drawBlocks(sheet, page.tokens, {
    pictures,
    placeOf: placesIn(manual, page),
    onHeading: (text) => register.add(text, `${page.name}#${slugger.slug(text)}`, parts.has(text) ? 2 : undefined),
  });
};

/** Renders a manual as PDF: linked contents, a chapter per guide page, page numbers, an outline. */
export const manualPdf = (manual: GuideManual, pictures: ReadonlyMap<string, GuidePicture>): Readable => {
  const sheet = openSheet(`Telltale: ${manual.title}`);
  drawTitle(sheet, manual.title);
  const headings = manual.pages.flatMap(({ tokens }) => [
    { depth: 1 as const },
    ...tokens.filter(isPart).map(() => ({ depth: 2 as const })),
  ]);
  const kept = reserveContents(sheet, headings);
  const register = createRegister(sheet, () => sheet.y);
  for (const page of manual.pages) drawChapter(sheet, manual, page, pictures, register);
  drawContents(sheet, register.entries, kept);
  drawFeet(sheet, manual.title);
  sheet.pdf.end();
  return sheet.pdf;
};
