// Bundles Telltale's programs into JavaScript, with the libraries that they use: Node strips no types below node_modules. The package's own
// `dependencies` stay outside: they have native parts, or read files of their own folder.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { root } from "../place.mjs";
import { licencesOf } from "./licences.mjs";

/** What is started or loaded as a worker by its path; see server/src/platform/installed.ts. */
const programs = [
  "server/src/main.ts",
  "server/src/operator/main.ts",
  "server/src/modules/support/manual/worker.ts",
  "server/src/alarms/report/pdf-worker.ts",
  "server/src/modules/labels/pdf-worker.ts",
  "simulator/src/main.ts",
  "simulator/src/replay/main.ts",
];

/** Libraries try to load these and do without: accelerators that are not installed. */
const optional = ["bufferutil", "utf-8-validate", "pg-native"];

const noTraces = "\0no-traces";

/**
 * Takes the place of `debug`: the MQTT libraries call it several times for each packet, and each call makes an array of what it was given, though nobody
 * reads it.
 */
const withoutTraces = {
  name: "without-traces",
  resolveId: (source) => (source === "debug" ? noTraces : undefined),
  load: (id) =>
    id === noTraces
      ? "const trace = () => undefined; trace.enabled = false; trace.extend = () => trace; module.exports = () => trace;"
      : undefined,
};

const dist = join(root, "dist");
const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const outside = [...Object.keys(dependencies), ...optional];

const complain = (level, log, handle) => handle(level === "warn" ? "error" : level, log);

rmSync(dist, { recursive: true, force: true });
const bundle = await rolldown({
  cwd: root,
  input: Object.fromEntries(
    programs.map((source) => [source.replaceAll("/", "-").replace(/\.ts$/, ""), join(root, source)]),
  ),
  platform: "node",
  plugins: [withoutTraces],
  external: (name) => outside.some((library) => name === library || name.startsWith(`${library}/`)),
  onLog: complain,
});
await bundle.write({ dir: dist, format: "esm", entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" });
await bundle.close();
writeFileSync(join(dist, "LICENCES.txt"), licencesOf(new Set(Object.keys(dependencies))));
