import type { Token, Tokens } from "marked";
import type { Content, ContentText, CustomTableLayout } from "pdfmake/interfaces.js";
import { paper } from "../../../platform/pdf.ts";
import { isToken } from "../guide/guide.ts";
import type { GuidePicture } from "../guide/pictures.ts";
import { type PlaceOf, runsOf } from "./runs.ts";

/** Size of the text, and of the text in tables, in points. */
const size = 10.5;
const small = 9;

/** What a page's blocks need to know of the manual around them. */
export interface Surroundings {
  pictures: ReadonlyMap<string, GuidePicture>;
  placeOf: PlaceOf;
  /** Width and height of a page's text area, in points. */
  area: { width: number; height: number };
  /** Returns a heading below a chapter's title, with its place. */
  headingOf(heading: Tokens.Heading): ContentText;
}

const none = () => 0;

/** A table without vertical lines, with a line of this width below each row. */
const ruled = (lineWidth: number, across: number, along: number): CustomTableLayout => ({
  hLineWidth: (row) => (row === 0 ? 0 : lineWidth),
  vLineWidth: none,
  hLineColor: paper.rule,
  paddingLeft: () => across,
  paddingRight: () => across,
  paddingTop: () => along,
  paddingBottom: () => along,
});

const framed: CustomTableLayout = {
  ...ruled(0.6, 0, 0),
  hLineWidth: () => 0.6,
  vLineWidth: () => 0.6,
  vLineColor: paper.rule,
};

const codeSize = 8.8;
const codePadding = { across: 10, along: 6 };
/** Every character of IBM Plex Mono is this wide, in shares of its size. */
const monoWidth = 0.6;

/** Folds a line of code that is too long at a space if there is one, and indents what follows so that it does not read as a new line. */
const folded = (line: string, perLine: number): string[] => {
  if (line.length <= perLine) return [line];
  const space = line.lastIndexOf(" ", perLine);
  const at = space > perLine / 2 ? space : perLine;
  return [line.slice(0, at), ...folded(`    ${line.slice(at).trimStart()}`, perLine)];
};

const codeOf = ({ text }: Tokens.Code, { area }: Surroundings): Content => {
  const perLine = Math.floor((area.width - 2 * codePadding.across) / (codeSize * monoWidth));
  const lines = text.split("\n").flatMap((line) => folded(line, perLine));
  return {
    table: {
      widths: ["*"],
      body: [
        [
          {
            text: lines.join("\n"),
            font: "Mono",
            fontSize: codeSize,
            preserveLeadingSpaces: true,
            fillColor: paper.well,
          },
        ],
      ],
    },
    layout: ruled(0, codePadding.across, codePadding.along),
    marginBottom: 14,
  };
};

const tableOf = ({ header, rows }: Tokens.Table, { placeOf }: Surroundings): Content => {
  const cellsOf = (cells: Tokens.TableCell[], look: object) =>
    cells.map(({ tokens }) => ({ text: runsOf(tokens, small, placeOf, look), fontSize: small }));
  const head = cellsOf(header, { bold: true }).map((cell) => ({ ...cell, fillColor: paper.well }));
  return {
    table: {
      headerRows: 1,
      keepWithHeaderRows: 1,
      dontBreakRows: true,
      widths: header.map((_, column) => (column === header.length - 1 ? "*" : "auto")),
      body: [head, ...rows.map((cells) => cellsOf(cells, {}))],
    },
    layout: ruled(0.6, 6, 4),
    marginBottom: 10,
  };
};

/** Points for a pixel of the screen, so that a dialog does not fill the page. */
const largestScale = 0.6;

const pictureOf = ({ href, text }: Tokens.Image, { pictures, area }: Surroundings): Content => {
  const picture = pictures.get(/^images\/([\w-]+)\.png$/.exec(href)?.[1] ?? "");
  if (!picture) return [];
  const scale = Math.min(area.width / picture.width, (area.height * 0.45) / picture.height, largestScale);
  const image = { image: picture.path, width: picture.width * scale, height: picture.height * scale };
  return {
    stack: [
      { table: { body: [[image]] }, layout: framed },
      { text, fontSize: small, italics: true, color: paper.soft, marginTop: 4 },
    ],
    unbreakable: true,
    marginBottom: 10,
  };
};

/** The picture that a paragraph is made of; undefined where it holds anything else. */
const imageOf = (token: Token | undefined): Tokens.Image | undefined => {
  if (!isToken(token, "paragraph") || token.tokens.length !== 1) return undefined;
  const [inner] = token.tokens;
  return isToken(inner, "image") ? inner : undefined;
};

const listOf = ({ ordered, start, items }: Tokens.List, surroundings: Surroundings): Content => {
  const stacks = items.map(({ tokens }) => ({ stack: blocksOf(tokens, surroundings, 3) }));
  const look = { markerColor: paper.soft, marginBottom: 6 };
  return ordered ? { ol: stacks, start: Number(start), ...look } : { ul: stacks, ...look };
};

const blockOf = (token: Token, surroundings: Surroundings, after: number): Content => {
  const picture = imageOf(token);
  if (picture) return pictureOf(picture, surroundings);
  if (isToken(token, "heading")) return { ...surroundings.headingOf(token), headlineLevel: token.depth };
  if (isToken(token, "code")) return codeOf(token, surroundings);
  if (isToken(token, "table")) return tableOf(token, surroundings);
  if (isToken(token, "list")) return listOf(token, surroundings);
  if (token.type !== "paragraph" && token.type !== "text") return [];
  return { text: runsOf([token], size, surroundings.placeOf), marginBottom: after };
};

/**
 * What a page of the guide is made of, block after block, `after` points below a paragraph. A heading and the picture that it heads are one
 * block; other headings have a `headlineLevel`, by which they are kept with what follows.
 */
export const blocksOf = (tokens: Token[], surroundings: Surroundings, after = 7): Content[] => {
  const written = tokens.filter(({ type }) => type !== "space");
  return written.flatMap((token, index): Content[] => {
    const [before, next] = [written[index - 1], written[index + 1]];
    if (isToken(before, "heading") && imageOf(token)) return [];
    const picture = isToken(token, "heading") && imageOf(next);
    if (!picture) return [blockOf(token, surroundings, after)];
    return [{ stack: [surroundings.headingOf(token), pictureOf(picture, surroundings)], unbreakable: true }];
  });
};
