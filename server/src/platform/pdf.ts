import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import pdfmake from "pdfmake";
import type { TCreatedPdf, TDocumentDefinitions } from "pdfmake/interfaces.js";

const require = createRequire(import.meta.url);

/** The console's fonts on paper. They have Latin, Greek and Cyrillic letters. */
const faces = {
  Sans: {
    normal: require.resolve("@expo-google-fonts/ibm-plex-sans/400Regular/IBMPlexSans_400Regular.ttf"),
    bold: require.resolve("@expo-google-fonts/ibm-plex-sans/600SemiBold/IBMPlexSans_600SemiBold.ttf"),
    italics: require.resolve("@expo-google-fonts/ibm-plex-sans/400Regular_Italic/IBMPlexSans_400Regular_Italic.ttf"),
  },
  Mono: { normal: require.resolve("@expo-google-fonts/ibm-plex-mono/400Regular/IBMPlexMono_400Regular.ttf") },
};

/** Of the light theme: paper is light. */
export const paper = {
  text: "#1b2124",
  soft: "#59636e",
  link: "#175874",
  rule: "#c9cfcd",
  well: "#eef1f0",
} as const;

/** pdfmake's own types leave out the files it keeps in memory. */
const { virtualfs } = pdfmake as unknown as { virtualfs: { writeFileSync(name: string, content: Buffer): void } };

/**
 * fontkit reads the header of every glyph, including empty ones such as the space, and fails where that lies behind the end of the file:
 * so the file is padded.
 */
for (const file of Object.values(faces).flatMap((family) => Object.values(family)))
  virtualfs.writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.alloc(64)]));

pdfmake.setFonts(faces);
pdfmake.setUrlAccessPolicy(() => false);
pdfmake.setLocalAccessPolicy((path) => path.endsWith(".png"));

/** Points of IBM Plex from line to line at `lineHeight` 1, for each point of its size. */
const plexLine = 1.3;

/** Begins an A4 document in the console's fonts. */
export const createPdf = ({ info, ...definition }: TDocumentDefinitions): TCreatedPdf =>
  pdfmake.createPdf({
    pageSize: "A4",
    language: "en",
    displayTitle: true,
    info: { author: "Telltale", creator: "Telltale", ...info },
    defaultStyle: { font: "Sans", fontSize: 10.5, lineHeight: 1.45 / plexLine, color: paper.text },
    ...definition,
  });
