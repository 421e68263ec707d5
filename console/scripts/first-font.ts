import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import subsetFont from "subset-font";
import type { Plugin } from "vite";

const name = "virtual:first-font.css";
const source = "@fontsource-variable/ibm-plex-sans/files/ibm-plex-sans-latin-standard-normal.woff2";
const firstFontFile = "first-font.woff2";

/** What English texts, numbers and their units are written with, as in `unicode-range`. */
const shown = ["20-7E", "A0", "A7", "B0-B3", "B5", "B7", "D7", "2013-2014", "2018-2019", "201C-201D", "2026", "20AC"];
/** What the styles ask for; at the edges of the axes nothing changes. */
const axes = {
  wght: { min: 400, max: 700, default: 400 },
  wdth: { min: 75, max: 100, default: 100 },
};

const charactersOf = (range: string): string => {
  const [first = 0, last = first] = range.split("-").map((each) => Number.parseInt(each, 16));
  return Array.from({ length: last - first + 1 }, (_, place) => String.fromCodePoint(first + place)).join("");
};

/**
 * A part of the font with the characters that nearly every text has, in less than half its size, as a style sheet to be imported after the font's own:
 * of several faces that have a character a browser takes the last, and fetches the others when a text needs them. A phone waits for the whole font else.
 */
export const firstFont = (): Plugin => ({
  name: "first-font",
  resolveId: (id) => (id === name ? `\0${name}` : null),
  async load(id) {
    if (id !== `\0${name}`) return null;
    const whole = await readFile(createRequire(import.meta.url).resolve(source));
    const part = await subsetFont(whole, shown.map(charactersOf).join(""), {
      targetFormat: "woff2",
      variationAxes: axes,
      // Ligatures and fractions are a quarter of it.
      noLayoutClosure: true,
    });
    const file = join(import.meta.dirname, "../node_modules/.cache", firstFontFile);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, part);
    return `@font-face {
  font-family: "IBM Plex Sans Variable";
  font-style: normal;
  font-display: swap;
  font-weight: ${axes.wght.min} ${axes.wght.max};
  font-stretch: ${axes.wdth.min}% ${axes.wdth.max}%;
  src: url(${JSON.stringify(file)}) format("woff2-variations");
  unicode-range: ${shown.map((range) => `U+${range}`).join(", ")};
}
`;
  },
});
