import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin, Rolldown } from "vite";

type Bundle = Rolldown.OutputBundle;

/** Files of `public/` that the page names. */
const named = ["first.js", "mark.svg", "mark-alarm.svg", "icon-192.png", "manifest.webmanifest"];

const isChunk = (file: Bundle[string] | undefined): file is Rolldown.OutputChunk => file?.type === "chunk";

/** The script that the page loads first, with everything that it imports statically. */
const chunksOf = (bundle: Bundle, entry: Rolldown.OutputChunk): Rolldown.OutputChunk[] => {
  const found = new Set([entry]);
  for (const chunk of found)
    for (const name of chunk.imports) {
      const imported = bundle[name];
      if (isChunk(imported)) found.add(imported);
    }
  return [...found];
};

/** Names of the page's style sheets, as the page links them. */
const stylesOf = (html: string): string[] =>
  [...html.matchAll(/<link rel="stylesheet"[^>]* href="\/([^"]+)"/g)].flatMap(([, name]) => name ?? []);

/** Enters the shell's files into the service worker `sw.js`; `fonts` matches those that the shell needs. */
export const serviceWorker = (fonts: RegExp): Plugin => ({
  name: "service-worker",
  apply: "build",
  async writeBundle({ dir = "" }, bundle) {
    const entry = Object.values(bundle)
      .filter(isChunk)
      .find(({ isEntry }) => isEntry);
    if (!entry) throw new Error("The build has no entry");
    const html = await readFile(join(dir, "index.html"), "utf8");
    const files = [
      ...chunksOf(bundle, entry).map(({ fileName }) => fileName),
      ...stylesOf(html),
      ...Object.keys(bundle).filter((name) => fonts.test(name)),
      ...named,
    ];
    const worker = join(dir, "sw.js");
    const template = await readFile(worker, "utf8");
    const contents = await Promise.all(named.map((name) => readFile(join(dir, name))));
    // Whatever the shell consists of: a change of any makes another version.
    const hash = createHash("sha256").update([template, html, ...files].join("\n"));
    for (const content of contents) hash.update(content);
    const written = template
      .replace("%SHELL_VERSION%", hash.digest("hex").slice(0, 16))
      .replace("%SHELL_FILES%", files.map((name) => `/${name}`).join(" "))
      .replace("%SHELL_ENTRY%", `/${entry.fileName}`);
    await writeFile(worker, written);
  },
});
