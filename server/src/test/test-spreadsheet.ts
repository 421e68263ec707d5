import { type Entry, fromBuffer, type ZipFile } from "yauzl";

const opened = (file: Buffer): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    fromBuffer(file, { lazyEntries: true }, (fault, zip) => (zip ? resolve(zip) : reject(fault)));
  });

const textOf = (zip: ZipFile, entry: Entry): Promise<string> =>
  new Promise((resolve, reject) => {
    zip.openReadStream(entry, (fault, stream) => {
      if (!stream) return reject(fault);
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("error", reject);
      stream.on("end", () => resolve(Buffer.concat(chunks).toString()));
    });
  });

/** The files of a zip archive by path; checks their lengths as it reads. */
export const unzipped = async (file: Buffer): Promise<Map<string, string>> => {
  const zip = await opened(file);
  const texts = new Map<string, string>();
  return new Promise((resolve, reject) => {
    zip.on("entry", (entry: Entry) => {
      textOf(zip, entry).then((text) => {
        texts.set(entry.fileName, text);
        zip.readEntry();
      }, reject);
    });
    zip.on("end", () => resolve(texts));
    zip.on("error", reject);
    zip.readEntry();
  });
};

const entities: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#13;": "\r" };
const plain = (xml: string): string => xml.replace(/&(amp|lt|gt|quot|#13);/g, (entity) => entities[entity] ?? entity);

/** The cells of a sheet, row by row: texts, numbers, null where empty. */
export const sheetOf = (parts: Map<string, string>, number = 1): (string | number | null)[][] => {
  const shared = [...(parts.get("xl/sharedStrings.xml") ?? "").matchAll(/<t [^>]*>([^<]*)<\/t>/g)].map(
    ([, text = ""]) => plain(text),
  );
  const rows = (parts.get(`xl/worksheets/sheet${number}.xml`) ?? "").matchAll(/<row>(.*?)<\/row>/g);
  return [...rows].map(([, cells = ""]) =>
    [...cells.matchAll(/<c([^>]*?)(?:\/>|><v>([^<]*)<\/v><\/c>)/g)].map(([, attributes = "", value]) => {
      if (value === undefined) return null;
      return attributes.includes('t="s"') ? (shared[Number(value)] ?? null) : Number(value);
    }),
  );
};
