import { readFileSync } from "node:fs";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { serviceWorker } from "./scripts/service-worker.ts";

/** The fonts of the first screen; they load beside the script instead of after the style sheet. */
const firstFonts = /ibm-plex-sans-latin-standard-normal.*\.woff2$/;

const preloadFonts = (): Plugin => ({
  name: "preload-fonts",
  transformIndexHtml: {
    order: "post",
    handler: (_html, { bundle }) =>
      Object.keys(bundle ?? {})
        .filter((file) => firstFonts.test(file))
        .map((file) => ({
          tag: "link",
          attrs: { rel: "preload", as: "font", type: "font/woff2", href: `/${file}`, crossorigin: "" },
          injectTo: "head-prepend" as const,
        })),
  },
});

/** What zod's schemas import to describe themselves as JSON Schema: 5 kB of the first screen. Only the server's API page asks. */
const jsonSchema = /zod\/v4\/core\/(to-json-schema|json-schema-processors)\.js$/;
const absent = "?absent";

const withoutJsonSchema = (): Plugin => ({
  name: "without-json-schema",
  apply: "build",
  enforce: "pre",
  async resolveId(source, importer, options) {
    if (!importer?.endsWith("zod/v4/classic/schemas.js") || !source.includes("json-schema")) return null;
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    return found && jsonSchema.test(found.id) ? found.id + absent : found;
  },
  load(id) {
    if (!id.endsWith(absent)) return null;
    const names = readFileSync(id.slice(0, -absent.length), "utf8").matchAll(/^export (?:const|function) (\w+)/gm);
    const throwing = '() => { throw new Error("The console has no JSON Schema"); }';
    return [...names].map(([, name]) => `export const ${name} = ${throwing};`).join("\n");
  },
});

/** Zod's English messages: every field's message is the contract's own (contract/src/text). */
const withoutZodMessages = (): Plugin => ({
  name: "without-zod-messages",
  apply: "build",
  enforce: "pre",
  load: (id) =>
    id.endsWith("zod/v4/locales/en.js") ? "export default () => ({ localeError: () => undefined });" : null,
});

/**
 * What every screen needs is one chunk: in a dozen small ones, as they would be cut for the lazy screens that share them, it is
 * larger by several kB, because each is compressed by itself.
 */
const base = new RegExp(
  [
    "node_modules/(react|react-dom|scheduler|use-sync-external-store|zod)/",
    // Not what only lazy screens use of them.
    "node_modules/@tanstack/(?!.*(useBlocker|useQueries|queriesObserver))(react-query|query-core|react-router|router-core|react-store|store|history)/",
    "node_modules/@mantine/core/esm/(core|components/(UnstyledButton|Button|Loader|Transition))/",
    "contract/src/(call/(call|client|codes|paging|wire)|permissions|live|domains/(alerts|people/(accounts|person-fields|sign-ins)))\\.ts",
    "console/src/(session|ui/(status|theme|format|page))/(?!(save-file|use-has-payments|use-edit-record|new-account|return-page|money|facts|step-head|head-button)\\.)",
    "vite/preload-helper",
    "console/src/(ui/(refresh-button|load-with-retry)|domain/(alerts/(alert-status|alert-text)|device-links|joint-link)|table/filters/(use-)?filters)\\.tsx?",
  ].join("|"),
);

/** Every list needs both, with what they import. */
const lists = /console\/src\/table\/(list-screen|use-pages)\.tsx?$/;

/** What every chart is computed with: cut for each screen that draws one, it would be eight chunks. */
const charts =
  /console\/src\/features\/devices\/chart\/(truth\/|drawing\/(svg|ticks|value-scale|free-place|spans|text)\.ts)/;

/** Where the server listens that the development console talks to. */
const server = process.env.SERVER_URL ?? "http://localhost:8080";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), preloadFonts(), withoutJsonSchema(), withoutZodMessages(), serviceWorker(firstFonts)],
  resolve: {
    // One file instead of 6,000 modules while developing.
    alias: { "@tabler/icons-react": "@tabler/icons-react/dist/esm/icons/index.mjs" },
  },
  server: {
    proxy: {
      "/api": { target: server, changeOrigin: true },
      // The server answers a socket only to pages of its own address.
      "/web/websocket": { target: server, ws: true, changeOrigin: true, rewriteWsOrigin: true },
    },
  },
  build: {
    target: "es2023",
    manifest: true,
    // Inlined assets would need data: in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "base", test: base },
            { name: "lists", test: lists },
            { name: "charts", test: charts },
          ],
        },
      },
    },
  },
});
