import GithubSlugger from "github-slugger";
import type { Token, Tokens } from "marked";
import type { Content, ContentText, CustomTableLayout, TableCell, TCreatedPdf } from "pdfmake/interfaces.js";
import { createPdf, paper } from "../../../platform/pdf.ts";
import { type GuideManual, type GuidePage, isToken } from "../guide/guide.ts";
import type { GuidePicture } from "../guide/pictures.ts";
import { blocksOf } from "./blocks.ts";
import { type PlaceOf, runsOf } from "./runs.ts";

/** A4 without its margins, in points. */
const margin = 62;
const bottom = 72;
const area = { width: 595.28 - 2 * margin, height: 841.89 - margin - bottom };

/** The mark: windows of an annunciator, of which crossbar and stem are lit. */
const mark = `<svg viewBox="0 0 24 24" width="34" height="34">
  <rect width="24" height="24" rx="3" fill="#1b2124"/>
  <path fill="#f1f4f3" d="M3 3h18v6H3zM9 10.4h6V21H9z"/>
  <path fill="#3e494e" d="M3 10.4h4.6V21H3zM16.4 10.4H21V21h-4.6z"/>
</svg>`;

const isPart = (token: Token): token is Tokens.Heading => isToken(token, "heading") && token.depth === 2;

/** The places of a page's headings, by their tokens, named as in the addresses of the guide. */
const placesOf = ({ name, tokens }: GuidePage): ReadonlyMap<Token, string> => {
  const slugger = new GithubSlugger();
  const headings = tokens.filter((token) => isToken(token, "heading"));
  return new Map(headings.map((heading) => [heading, `${name}#${slugger.slug(heading.text)}`]));
};

/** Places are named as in the addresses of the guide: the page, and a part of it. */
const placesIn =
  (manual: GuideManual, page: GuidePage): PlaceOf =>
  (href) => {
    const [, name = "", part = ""] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
    if (manual.pages.some((each) => each.name === name)) return `#${name}${part}`;
    if (href.startsWith("#")) return `#${page.name}${href}`;
    return /^https?:/.test(href) ? href : undefined;
  };

const chapterOf = (manual: GuideManual, page: GuidePage, pictures: ReadonlyMap<string, GuidePicture>): Content[] => {
  const { name, title, tokens } = page;
  const places = placesOf(page);
  const placeOf = placesIn(manual, page);
  const headingOf = (heading: Tokens.Heading): ContentText => {
    const fontSize = isPart(heading) ? 14 : 11.5;
    // pdfmake's types know no place of text that has several looks.
    const placed = {
      text: runsOf(heading.tokens, fontSize, placeOf, { bold: true }),
      id: places.get(heading),
      fontSize,
      marginTop: isPart(heading) ? 14 : 8,
      marginBottom: 4,
      ...(isPart(heading) ? { outline: true, outlineText: heading.text, outlineParentId: name } : {}),
    };
    return placed;
  };
  return [
    { text: title, id: name, outline: true, pageBreak: "before", fontSize: 20, bold: true, marginBottom: 10 },
    ...blocksOf(tokens, { pictures, placeOf, area, headingOf }),
  ];
};

/** The headings with their pages; lines of dots lead the eye from one to the other. */
const contentsOf = ({ pages }: GuideManual): Content => {
  const lineOf = (title: string, place: string, isChapter: boolean): TableCell[] => {
    const look = { linkToDestination: place, bold: isChapter, marginTop: isChapter ? 6 : 0 };
    return [
      { ...look, text: title, marginLeft: isChapter ? 0 : 18 },
      { ...look, text: [{ pageReference: place }], alignment: "right" },
    ];
  };
  const body = pages.flatMap((page) => [
    lineOf(page.title, page.name, true),
    ...[...placesOf(page)].flatMap(([heading, place]) => (isPart(heading) ? [lineOf(heading.text, place, false)] : [])),
  ]);
  const dots = { dash: { length: 0.5, space: 3 } };
  const layout: CustomTableLayout = {
    hLineWidth: (row) => (row === 0 ? 0 : 0.5),
    vLineWidth: () => 0,
    hLineColor: paper.soft,
    hLineStyle: () => dots,
    paddingLeft: () => 0,
    paddingRight: () => 0,
    paddingTop: () => 0,
    paddingBottom: () => 0,
  };
  return { table: { widths: ["*", "auto"], body, dontBreakRows: true }, layout };
};

const footOf =
  (title: string) =>
  (page: number, pages: number): Content => {
    const look = { fontSize: 8.5, color: paper.soft };
    return {
      columns: [
        { ...look, text: `Telltale · ${title}` },
        { ...look, text: `${page} / ${pages}`, alignment: "right" },
      ],
      margin: [margin, 26, margin, 0],
    };
  };

/** Points that a heading needs on its page with the first lines, or the first rows, below it. */
const leastRoom = 88;

/** A manual as PDF: contents with links, a chapter a page of the guide, numbered pages, an outline. */
export const manualPdf = (manual: GuideManual, pictures: ReadonlyMap<string, GuidePicture>): TCreatedPdf => {
  const { title } = manual;
  const cover: Content = {
    columns: [
      { svg: mark, width: 34 },
      { text: "Telltale", fontSize: 15, bold: true, margin: [12, 7, 0, 0] },
    ],
  };
  return createPdf({
    info: { title: `Telltale: ${title}` },
    pageMargins: [margin, margin, margin, bottom],
    content: [
      cover,
      { text: title, fontSize: 27, bold: true, margin: [0, 10, 0, 16] },
      contentsOf(manual),
      ...manual.pages.flatMap((page) => chapterOf(manual, page, pictures)),
    ],
    footer: footOf(title),
    pageBreakBefore: ({ headlineLevel, startPosition }) =>
      headlineLevel !== undefined && startPosition.top > margin + area.height - leastRoom,
  });
};
