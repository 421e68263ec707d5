import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { Plugin, Rolldown } from "vite";

/** What Vite puts around every `import()`. */
const helper = "\0vite/preload-helper.js";
const loader = fileURLToPath(new URL("../src/ui/part-files.ts", import.meta.url));
/** Where it has the list's address. */
const addressPlace = "%PART_FILES%";

/** What is shown first: its files are named where it is imported. */
const first =
  /console\/src\/(routes\/shell\/shell|routes\/screens\/(dashboard|devices)-screen|features\/alerts\/alert-screen|features\/accounts\/entry\/login)\.tsx$/;

/** Vite's own list of files, at the beginning of a chunk. */
const viteList = /^const __vite__mapDeps=.*?m\.f=(\[.*?\])\)\)\)=>i\.map\(i=>d\[i\]\);\n/;
/** An `import()` with the places of its files in that list. */
const viteImport = /import\(([`"])\.\/([^`"]+)\1\)((?:(?!import\().)*?)__vite__mapDeps\(\[([\d,]+)\]\)/gs;

type Bundle = Rolldown.OutputBundle;

/** Files that are loaded when the chunk runs: itself, what it imports statically, and their style sheets. */
export const loadedWith = (bundle: Bundle, name: string, seen = new Set<string>()): ReadonlySet<string> => {
  const chunk = bundle[name];
  if (chunk?.type !== "chunk" || seen.has(name)) return seen;
  seen.add(name);
  for (const style of chunk.viteMetadata?.importedCss ?? []) seen.add(style);
  for (const imported of chunk.imports) loadedWith(bundle, imported, seen);
  return seen;
};

/**
 * Takes out of every chunk the names of the files that its lazily loaded parts need: with their hashes, which no compression makes shorter, they were
 * 7 kB of each screen, before it showed anything. They are one list, by the part's own file, which `src/ui/part-files.ts` fetches beside the first screen.
 */
export const partFiles = (): Plugin => ({
  name: "part-files",
  apply: "build",
  enforce: "pre",
  load: {
    filter: { id: /^\0vite\/preload-helper\.js$/ },
    handler: (id) => (id === helper ? `export { loadPart as __vitePreload } from ${JSON.stringify(loader)};` : null),
  },
  generateBundle: {
    order: "post",
    handler(_options, bundle) {
      const files = new Map<string, number>();
      const parts: Record<string, number[]> = {};
      const placeOf = (name: string): number => {
        const place = files.get(name) ?? files.size;
        files.set(name, place);
        return place;
      };
      const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
      for (const chunk of chunks) {
        const [written, names] = viteList.exec(chunk.code) ?? [];
        if (written === undefined || names === undefined) continue;
        const listed: string[] = JSON.parse(names);
        const loaded = loadedWith(bundle, chunk.fileName);
        const code = chunk.code.slice(written.length).replace(viteImport, (whole, _quote, target, _rest, numbers) => {
          const part = bundle[`assets/${target}`];
          const needed = String(numbers)
            .split(",")
            .flatMap((number) => listed[Number(number)] ?? []);
          const isFirst = part?.type === "chunk" && first.test(part.facadeModuleId ?? "");
          if (!isFirst) parts[target] = needed.map(placeOf);
          const needs = isFirst ? needed.filter((name) => !loaded.has(name)) : target;
          return whole.replace(/__vite__mapDeps\(\[[\d,]+\]\)$/, JSON.stringify(needs));
        });
        if (code.includes("__vite__mapDeps"))
          throw new Error("Vite lists the files of parts otherwise than part-files.ts knows");
        chunk.code = code;
      }
      const source = JSON.stringify({ files: [...files.keys()], parts });
      const hash = createHash("sha256").update(source).digest("base64url").slice(0, 8);
      const fileName = `assets/part-files-${hash}.json`;
      this.emitFile({ type: "asset", fileName, source });
      const place = chunks.find(({ code }) => code.includes(addressPlace));
      if (!place) throw new Error("No chunk has the address of the list of files");
      place.code = place.code.replace(addressPlace, `/${fileName}`);
    },
  },
});
