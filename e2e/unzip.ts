import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { type Entry, fromBuffer, type Options, type ZipFile } from "yauzl";

const opened = promisify<Buffer, Options, ZipFile>(fromBuffer);

/** The files of a zip archive by path. */
export const unzipped = async (file: Buffer): Promise<Map<string, string>> => {
  const zip = await opened(file, { lazyEntries: true, autoClose: false });
  const entries: Entry[] = [];
  await new Promise((resolve, reject) => {
    zip.on("entry", (entry: Entry) => {
      entries.push(entry);
      zip.readEntry();
    });
    zip.on("end", resolve);
    zip.on("error", reject);
    zip.readEntry();
  });
  const open = promisify(
    zip.openReadStream.bind(zip) as (
      entry: Entry,
      done: (fault: Error | null, stream: NodeJS.ReadableStream) => void,
    ) => void,
  );
  const texts = new Map<string, string>();
  for (const entry of entries) texts.set(entry.fileName, (await buffer(await open(entry))).toString());
  return texts;
};
