import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** The console's fonts, for PDFs. */
export type Face = "regular" | "bold" | "italic" | "mono";

const require = createRequire(import.meta.url);

const files: Record<Face, string> = {
  regular: require.resolve("@expo-google-fonts/ibm-plex-sans/400Regular/IBMPlexSans_400Regular.ttf"),
  bold: require.resolve("@expo-google-fonts/ibm-plex-sans/600SemiBold/IBMPlexSans_600SemiBold.ttf"),
  italic: require.resolve("@expo-google-fonts/ibm-plex-sans/400Regular_Italic/IBMPlexSans_400Regular_Italic.ttf"),
  mono: require.resolve("@expo-google-fonts/ibm-plex-mono/400Regular/IBMPlexMono_400Regular.ttf"),
};

/**
 * Pads the font file: fontkit reads a header also for glyphs without an outline, such as the space, and fails when that lies beyond the end of the
 * file.
 */
const fontOf = (file: string): Buffer => Buffer.concat([readFileSync(file), Buffer.alloc(64)]);

/** Registers these faces of IBM Plex with a PDF. They have Latin, Greek and Cyrillic letters. */
export const registerFaces = (pdf: PDFKit.PDFDocument, faces: readonly Face[]): void => {
  for (const face of faces) pdf.registerFont(face, fontOf(files[face]));
};
