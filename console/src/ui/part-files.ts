/** Which files the parts of the console need, as the build lists them (console/scripts/part-files.ts). */
interface PartFiles {
  files: readonly string[];
  /** By the part's own file: the places of those that it needs in `files`. */
  parts: Readonly<Record<string, readonly number[]>>;
}

/** Address of the list; entered by the build. */
const address = "%PART_FILES%";

let list: Promise<PartFiles> | undefined;

const fetchList = async (): Promise<PartFiles> => {
  const answer = await fetch(address, { priority: "low" });
  if (!answer.ok) throw new Error(`${address} could not be loaded`);
  return answer.json();
};

/** Fetched once; a fetch that failed is repeated when the next part is loaded. */
const partFiles = (): Promise<PartFiles> => {
  list ??= fetchList().catch((error: unknown) => {
    list = undefined;
    throw error;
  });
  return list;
};

const filesOf = async (part: string): Promise<readonly string[]> => {
  const { files, parts } = await partFiles();
  return (parts[part] ?? []).flatMap((place) => files[place] ?? []);
};

const requests = new Map<string, Promise<void>>();

/** Style sheets and scripts that the page itself names, as they are written there. */
const namedByPage = (): Set<string> =>
  new Set(
    [...document.head.getElementsByTagName("link")].map((link) => `${link.rel} ${link.getAttribute("href") ?? ""}`),
  );

/** A link that requests a file; resolves when a style sheet applies, and at once for a script, which its import waits for. */
const request = (file: string, place: DocumentFragment, named: Set<string>): Promise<void> => {
  const href = `/${file}`;
  const isStyle = file.endsWith(".css");
  const rel = isStyle ? "stylesheet" : "modulepreload";
  if (named.has(`${rel} ${href}`)) return Promise.resolve();
  const link = Object.assign(document.createElement("link"), { rel, href, crossOrigin: "" });
  const loading = new Promise<void>((resolve, reject) => {
    link.addEventListener("load", () => resolve());
    link.addEventListener("error", () => {
      // It is requested anew with the next part that needs it.
      link.remove();
      requests.delete(file);
      reject(new Error(`${href} could not be loaded`));
    });
  });
  place.append(link);
  if (isStyle) return loading;
  loading.catch(() => undefined);
  return Promise.resolve();
};

/**
 * Loads a part of the console with the files that it needs, all at once: by itself, a browser would find them one after the other, and its style sheets
 * not at all. The build puts it around every `import()`: `needs` are these files, or the part's own, by which the list has them; it is fetched beside the first screen.
 * Rejects when a style sheet, the list or the part could not be loaded; then it can be repeated.
 */
export const loadPart = async <M>(load: () => Promise<M>, needs: readonly string[] | string = []): Promise<M> => {
  partFiles().catch(() => undefined);
  const files = typeof needs === "string" ? await filesOf(needs) : needs;
  const missing = files.filter((file) => !requests.has(file));
  if (missing.length > 0) {
    const [links, named] = [new DocumentFragment(), namedByPage()];
    for (const file of missing) requests.set(file, request(file, links, named));
    document.head.append(links);
  }
  await Promise.all(files.map((file) => requests.get(file)));
  return load();
};
