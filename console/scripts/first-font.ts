import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import subsetFont from "subset-font";
import type { Plugin } from "vite";

const name = "virtual:sans.css";
const family = "@fontsource-variable/ibm-plex-sans";
const latin = "ibm-plex-sans-latin-standard-normal.woff2";

/** First and last code point. */
type Span = readonly [first: number, last: number];

const spansOf = (ranges: string): Span[] =>
  ranges.split(",").map((range) => {
    const [first = 0, last = first] = range
      .trim()
      .replace("U+", "")
      .split("-")
      .map((each) => Number.parseInt(each, 16));
    return [first, last];
  });

const rangesOf = (spans: readonly Span[]): string =>
  spans.map(([first, last]) => `U+${first.toString(16)}${last > first ? `-${last.toString(16)}` : ""}`).join(",");

/** The spans without what is in others. */
const without = (spans: readonly Span[], others: readonly Span[]): Span[] =>
  others.reduce<Span[]>(
    (left, [from, to]) =>
      left.flatMap(([first, last]): Span[] =>
        to < first || from > last
          ? [[first, last]]
          : [...(first < from ? [[first, from - 1] as const] : []), ...(last > to ? [[to + 1, last] as const] : [])],
      ),
    [...spans],
  );

/** What English texts, numbers and their units are written with. */
const shown = spansOf("20-7E,A0,A7,B0-B3,B5,B7,D7,2013-2014,2018-2019,201C-201D,2026,20AC");
const characters = shown
  .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, place) => first + place))
  .map((code) => String.fromCodePoint(code))
  .join("");
/** What the styles ask for. */
const axes = {
  wght: { min: 400, max: 700, default: 400 },
  wdth: { min: 75, max: 100, default: 100 },
};

/** Its weights and widths are said as those of the other faces, although none is below 400: of faces with other ranges a browser takes the others only. */
const firstFace = (file: string): string => `@font-face {
  font-family: "IBM Plex Sans Variable";
  font-style: normal;
  font-display: swap;
  font-weight: 100 700;
  font-stretch: 75% 100%;
  src: url(${JSON.stringify(file)}) format("woff2-variations");
  unicode-range: ${rangesOf(shown)};
}
`;

/** The face of the Latin letters for those only that the first part does not have: a browser would load both. */
const withoutShown = (sheet: string): string => {
  const place = sheet.indexOf(latin);
  const [written = "", ranges = ""] = /unicode-range: ([^;]+);/.exec(sheet.slice(place)) ?? [];
  if (place < 0 || ranges === "") throw new Error(`${family} has no face of ${latin}`);
  const rest = `unicode-range: ${rangesOf(without(spansOf(ranges), shown))};`;
  return sheet.slice(0, place) + sheet.slice(place).replace(written, rest);
};

/**
 * The style sheet of the font, with a part of it for the characters that nearly every text has, in less than half the size. A phone waits for the whole
 * font else; with the part, it loads the rest when a text needs it.
 */
export const firstFont = (): Plugin => ({
  name: "first-font",
  resolveId: (id) => (id === name ? `\0${name}` : null),
  async load(id) {
    if (id !== `\0${name}`) return null;
    const { resolve } = createRequire(import.meta.url);
    const style = resolve(`${family}/standard.css`);
    const files = join(dirname(style), "files");
    const part = await subsetFont(await readFile(join(files, latin)), characters, {
      targetFormat: "woff2",
      variationAxes: axes,
      // Ligatures and fractions are a quarter of it.
      noLayoutClosure: true,
    });
    const file = join(import.meta.dirname, "../node_modules/.cache/first-font.woff2");
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, part);
    const sheet = (await readFile(style, "utf8")).replaceAll("url(./files", `url(${files}`);
    return withoutShown(sheet) + firstFace(file);
  },
});
