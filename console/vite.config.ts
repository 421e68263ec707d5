import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { compressed } from "./scripts/compressed.ts";
import { mantineVariables } from "./scripts/mantine-variables.ts";
import { namedReact } from "./scripts/named-react.ts";
import { partFiles } from "./scripts/part-files.ts";
import { reactDomParts } from "./scripts/react-dom-parts.ts";
import { serviceWorker } from "./scripts/service-worker.ts";
import { withoutSummaries } from "./scripts/without-summaries.ts";
import { zodParts } from "./scripts/zod-parts.ts";

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
    /console\/src\/(routes\/shell\/(bar|menu|tab-bar|document-title)\.tsx|session\/live\/|ui\/(status|format)\/|domain\/alerts\/(alert-text|alert-status|lasting|priority-plate|first-out)|features\/alerts\/(use-confirm|passed-note))/,
  ],
  [
    "entry",
    /console\/src\/(form\/(use-call-form\.ts|form-message\.tsx)|features\/accounts\/entry\/(entry-(fields|frame)\.tsx|use-site\.ts))$/,
  ],
  [
    "list",
    /console\/src\/(table\/(list-screen\.tsx|use-pages\.ts|filters\/(filter-button|filter-tags|filters|use-filters)\.tsx?)|ui\/page\/list-head\.tsx|domain\/device-links)/,
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
  ["log", /console\/src\/features\/alerts\/alert-(cells|columns)\.tsx$/],
];

/** Where the server listens that the development console talks to. */
const server = process.env.SERVER_URL ?? "http://localhost:8080";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    namedReact(),
    reactDomParts(),
    preloadFonts(),
    zodParts(),
    withoutSummaries(),
    mantineVariables(),
    partFiles(),
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
