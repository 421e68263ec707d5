import { inflateSync } from "node:zlib";

/** Objects of a PDF as pdfkit writes them, by number; streams are unpacked. */
const objectsOf = (pdf: Buffer): Map<string, string> => {
  const text = pdf.toString("latin1");
  const objects = [...text.matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)];
  return new Map(
    objects.map(({ index, 0: whole, 1: id = "", 2: body = "" }) => {
      const stream = whole.indexOf("\nstream\n");
      if (stream === -1 || !body.includes("FlateDecode")) return [id, body];
      return [
        id,
        body.slice(0, body.indexOf("stream")) + inflateSync(pdf.subarray(index + stream + 8)).toString("latin1"),
      ];
    }),
  );
};

/** Characters of a font's glyphs, in the order of their numbers. */
const charactersOf = (map: string): string[] =>
  [...map.matchAll(/\[([^\]]*)\]/g)].flatMap(([, list = ""]) =>
    [...list.matchAll(/<([0-9a-f ]*)>/gi)].map(([, codes = ""]) =>
      Buffer.from(codes.replaceAll(" ", ""), "hex").swap16().toString("utf16le"),
    ),
  );

/** The text of a PDF that pdfmake has made, without its places. */
export const textOfPdf = (pdf: Buffer): string => {
  const objects = objectsOf(pdf);
  const fonts = new Map(
    [...objects.values()].flatMap((body) =>
      [...body.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = "", id = ""]) => {
        const map = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id) ?? "")?.[1];
        return [name, charactersOf(objects.get(map ?? "") ?? "")] as const;
      }),
    ),
  );
  let text = "";
  for (const body of objects.values()) {
    let font: string[] = [];
    for (const [, name, glyphs = ""] of body.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
      if (name) font = fonts.get(name) ?? [];
      for (const [, run = ""] of glyphs.matchAll(/<([0-9a-f]+)>/gi))
        for (const glyph of run.match(/.{4}/g) ?? []) text += font[Number.parseInt(glyph, 16)] ?? "";
    }
  }
  return text;
};
