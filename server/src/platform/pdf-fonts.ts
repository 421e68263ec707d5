import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** The console's fonts on paper. */
export type Face = "regular" | "bold" | "italic" | "mono";

const require = createRequire(import.meta.url);

const files: Record<Face, string> = {
  regular: require.resolve("@expo-google-fonts/ibm-plex-sans/400Regular/IBMPlexSans_400Regular.ttf"),
  bold: require.resolve("@expo-google-fonts/ibm-plex-sans/600SemiBold/IBMPlexSans_600SemiBold.ttf"),
  italic: require.resolve("@expo-google-fonts/ibm-plex-sans/400Regular_Italic/IBMPlexSans_400Regular_Italic.ttf"),
  mono: require.resolve("@expo-google-fonts/ibm-plex-mono/400Regular/IBMPlexMono_400Regular.ttf"),
};

/**
 * fontkit reads a glyph's head also of those that have none, such as the space, and fails where that is behind the file's end. So the
 * file gets an end that it can read.
 */
const fontOf = (file: string): Buffer => Buffer.concat([readFileSync(file), Buffer.alloc(64)]);

/** Gives a PDF these faces of IBM Plex, by their names. They have Latin, Greek and Cyrillic letters. */
export const registerFaces = (pdf: PDFKit.PDFDocument, faces: readonly Face[]): void => {
  for (const face of faces) pdf.registerFont(face, fontOf(files[face]));
};
