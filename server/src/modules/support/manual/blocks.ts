import type { Token, Tokens } from "marked";
import { isToken } from "../guide/guide.ts";
import type { GuidePicture } from "../guide/pictures.ts";
import { drawText, leading } from "./lines.ts";
import { type PlaceOf, runsOf, type Style } from "./runs.ts";
import { colour, indented, type Sheet } from "./sheet.ts";
import { drawTable } from "./table.ts";

const size = 10.5;
const body: Style = { face: "regular", size, colour: colour.text };
const caption: Style = { face: "italic", size: 9, colour: colour.soft };

/** Context of a block in the manual. */
export interface Around {
  pictures: ReadonlyMap<string, GuidePicture>;
  placeOf: PlaceOf;
  /** Called for each heading below a chapter's title. */
  onHeading(text: string): void;
}

const headingSizes: Record<number, number> = { 2: 14, 3: 11.5 };

/** Wraps a long line of code, at a space if possible, with indentation. */
const folded = (line: string, perLine: number): string[] => {
  if (line.length <= perLine) return [line];
  const space = line.lastIndexOf(" ", perLine);
  const at = space > perLine / 2 ? space : perLine;
  return [line.slice(0, at), ...folded(`    ${line.slice(at).trimStart()}`, perLine)];
};

const drawCode = (sheet: Sheet, { text }: Tokens.Code): void => {
  const { pdf } = sheet;
  const style: Style = { face: "mono", size: 8.8, colour: colour.text };
  const height = style.size * leading;
  const perLine = Math.floor((sheet.width - 20) / pdf.font(style.face).fontSize(style.size).widthOfString("0"));
  const lines = text.split("\n").flatMap((line) => folded(line, perLine));
  for (const [index, line] of lines.entries()) {
    const isEdge = index === 0 || index === lines.length - 1;
    sheet.room(height + (isEdge ? 6 : 0));
    const top = index === 0 ? 6 : 0;
    pdf.rect(sheet.left, sheet.y, sheet.width, height + top + (index === lines.length - 1 ? 6 : 0)).fill(colour.well);
    sheet.y += top;
    pdf.font(style.face).fontSize(style.size).fillColor(style.colour);
    pdf.text(line, sheet.left + 10, sheet.y + height * 0.74, { lineBreak: false, baseline: "alphabetic" });
    sheet.y += height;
  }
  sheet.gap(14);
};

/** Points per screen pixel at most, so that a dialog does not fill the page. */
const largestScale = 0.6;
const captionRoom = 30;

const pictureOf = ({ href }: Tokens.Image, { pictures }: Around): GuidePicture | undefined =>
  pictures.get(/^images\/([\w-]+)\.png$/.exec(href)?.[1] ?? "");

const wantedScale = (sheet: Sheet, { width, height }: GuidePicture): number =>
  Math.min(sheet.width / width, (sheet.height * 0.55) / height, largestScale);

/** A picture that is slightly too high for the page is scaled down to this share, rather than moved to the next page. */
const leastShare = 0.7;

const leastHeight = (sheet: Sheet, image: Tokens.Image, around: Around): number => {
  const picture = pictureOf(image, around);
  return picture ? leastShare * wantedScale(sheet, picture) * picture.height + captionRoom : 0;
};

const drawPicture = (sheet: Sheet, image: Tokens.Image, around: Around): void => {
  const picture = pictureOf(image, around);
  if (!picture) return;
  sheet.room(leastHeight(sheet, image, around));
  const scale = Math.min(wantedScale(sheet, picture), (sheet.rest() - captionRoom) / picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  sheet.pdf.image(picture.path, sheet.left, sheet.y, { width, height });
  sheet.pdf.rect(sheet.left, sheet.y, width, height).lineWidth(0.6).strokeColor(colour.rule).stroke();
  sheet.y += height + 4;
  const words = runsOf([{ type: "text", raw: image.text, text: image.text }], caption, around.placeOf);
  drawText(sheet, words, caption.size);
  sheet.gap(10);
};

/** The picture of a paragraph that contains nothing else; undefined otherwise. */
const imageOf = (token: Token | undefined): Tokens.Image | undefined => {
  if (!isToken(token, "paragraph") || token.tokens.length !== 1) return undefined;
  const [inner] = token.tokens;
  return isToken(inner, "image") ? inner : undefined;
};

/** Draws a heading on the same page as the beginning of what follows. */
const drawHeading = (sheet: Sheet, heading: Tokens.Heading, next: Token | undefined, around: Around): void => {
  const { depth, tokens, text } = heading;
  const headSize = headingSizes[depth] ?? size;
  sheet.gap(depth === 2 ? 14 : 8);
  const picture = imageOf(next);
  const below = picture ? leastHeight(sheet, picture, around) : 3 * size * leading;
  sheet.room(headSize * leading + 4 + below);
  around.onHeading(text);
  drawText(sheet, runsOf(tokens, { ...body, face: "bold", size: headSize }, around.placeOf), headSize);
  sheet.gap(4);
};

const drawList = (sheet: Sheet, { ordered, start, items }: Tokens.List, around: Around): void => {
  for (const [index, item] of items.entries()) {
    sheet.room(size * leading);
    sheet.pdf.font("regular").fontSize(size).fillColor(colour.soft);
    const mark = ordered ? `${Number(start) + index}.` : "•";
    const baseline = sheet.y + size * leading * 0.74;
    sheet.pdf.text(mark, sheet.left + 2, baseline, { lineBreak: false, baseline: "alphabetic" });
    indented(sheet, 20, () => drawBlocks(sheet, item.tokens, around, 3));
  }
  sheet.gap(6);
};

/** Draws a page's blocks, with `after` points below a paragraph. */
export const drawBlocks = (sheet: Sheet, tokens: Token[], around: Around, after = 7): void => {
  const written = tokens.filter(({ type }) => type !== "space");
  for (const [index, token] of written.entries()) {
    const picture = imageOf(token);
    if (isToken(token, "heading")) drawHeading(sheet, token, written[index + 1], around);
    else if (isToken(token, "code")) drawCode(sheet, token);
    else if (isToken(token, "table")) drawTable(sheet, token, around.placeOf);
    else if (isToken(token, "list")) drawList(sheet, token, around);
    else if (picture) drawPicture(sheet, picture, around);
    else if (token.type === "paragraph" || token.type === "text") {
      drawText(sheet, runsOf([token], body, around.placeOf), size);
      sheet.gap(after);
    }
  }
};
