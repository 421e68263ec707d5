import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { firstFiles } from "./scripts/first-files.ts";
import { firstFont } from "./scripts/first-font.ts";
import { mantineVariables } from "./scripts/mantine-variables.ts";
import { namedReact } from "./scripts/named-react.ts";
import { partFiles } from "./scripts/part-files.ts";
import { reactDomParts } from "./scripts/react-dom-parts.ts";
import { serviceWorker } from "./scripts/service-worker.ts";
import { zodParts } from "./scripts/zod-parts.ts";

/** The fonts of the first screen; they load beside the script instead of after the style sheet. */
const firstFonts = /first-font.*\.woff2$/;

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

const summary = /^ +summary:\s*(?:"(?:[^"\\]|\\.)*"|`[^`]*`),?$/gm;

/** Leaves the calls' lines for the API documentation out of the console's build: nobody sees them there. */
const withoutSummaries = (): Plugin => ({
  name: "without-summaries",
  apply: "build",
  enforce: "pre",
  transform: {
    filter: { id: /contract\/src\/domains\/.*\.ts$/ },
    handler: (code) => code.replace(summary, ""),
  },
});

const compress = promisify(brotliCompress);

/** Files with a hash in their name, which never change. Fonts are compressed already. */
const compressible = /^assets\/.*\.(js|css|json|svg)$/;

/**
 * Writes each file of the console compressed beside it, as well as it can be, which takes a hundred times as long as what a server can afford for each
 * request. The server sends it to browsers that take it (server/src/platform/http/console-files.ts).
 */
const compressed = (): Plugin => ({
  name: "compressed",
  apply: "build",
  async writeBundle({ dir = "" }, bundle) {
    const files = Object.keys(bundle).filter((name) => compressible.test(name));
    await Promise.all(
      files.map(async (name) => {
        const content = await readFile(join(dir, name));
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
        await writeFile(join(dir, `${name}.br`), await compress(content, { params }));
      }),
    );
  },
});

/**
 * What is loaded together is one chunk, with all it imports: in a dozen small ones, as they would be cut for the lazy screens that share them, it is
 * larger by several kB, because each is compressed by itself. What stands first is taken first.
 */
const chunks: readonly (readonly [name: string, test: RegExp])[] = [
  [
    "base",
    /node_modules\/react-dom\/|icons\/IconEye\.mjs|console\/src\/(routes\/router\.ts|session\/session\.ts|ui\/(title\.ts|control\/button\.tsx))$/,
  ],
  [
    "shell",
    /console\/src\/(routes\/shell\/(bar|menu|tab-bar|document-title)\.tsx|session\/live\/|ui\/(status|format)\/|domain\/alerts\/(alert-text|alert-status|lasting|priority-plate|first-out)|features\/alerts\/use-confirm)/,
  ],
  [
    "entry",
    /console\/src\/(form\/(use-call-form\.ts|form-message\.tsx)|features\/accounts\/entry\/(entry-(fields|frame)\.tsx|use-site\.ts))$/,
  ],
  [
    "list",
    /console\/src\/(table\/(list-screen\.tsx|use-pages\.ts|filters\/(filter-button|filter-tags|filters|use-filters)\.tsx?)|ui\/page\/list-head\.tsx|domain\/devices\/device-links\.tsx)/,
  ],
  [
    "tiles",
    /console\/src\/(domain\/(channel-icon|value)\.tsx?|ui\/(flash|control\/(icon-button|close-button|loader)))/,
  ],
  // What every chart is computed with.
  [
    "charts",
    /console\/src\/features\/devices\/chart\/(truth\/|drawing\/(svg|ticks|value-scale|free-place|spans|text)\.ts)|console\/src\/domain\/(samples|shown-value)\.ts/,
  ],
  [
    "dashboard",
    /icons\/IconArrows(Maximize|Move)\.mjs|console\/src\/features\/dashboards\/view\/(alert-banner|dashboard)\.tsx$/,
  ],
  [
    "log",
    /console\/src\/(features\/alerts\/(alert-(cells|filters)|log-tabs|list-head|log\/alert-columns)|domain\/joint-link)\.tsx?$/,
  ],
  [
    "devices",
    /console\/src\/(domain\/devices\/(pay-column|device-status|model-links)|features\/(billing\/orders\/use-purchase|devices\/list\/(device-filters|use-live-statuses)))\.tsx?$/,
  ],
];

/** Where the server listens that the development console talks to. */
const server = process.env.SERVER_URL ?? "http://localhost:8080";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    namedReact(),
    reactDomParts(),
    firstFont(),
    preloadFonts(),
    zodParts(),
    withoutSummaries(),
    mantineVariables(),
    partFiles(),
    firstFiles(),
    serviceWorker(firstFonts),
    compressed(),
  ],
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
          groups: chunks.map(([name, test], place) => ({ name, test, priority: chunks.length - place })),
        },
      },
    },
  },
});
