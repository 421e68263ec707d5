import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { mantineVariables } from "./scripts/mantine-variables.ts";
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
 * What every screen needs is one chunk: in a dozen small ones, as they would be cut for the lazy screens that share them, it is
 * larger by several kB, because each is compressed by itself.
 */
const base = new RegExp(
  [
    "node_modules/(react|react-dom|scheduler|use-sync-external-store|zod)/",
    // Not what only lazy screens use of them.
    "node_modules/@tanstack/(?!.*(useQueries|queriesObserver))(react-query|query-core|history)/",
    "contract/src/(call/(call|client|codes|paging|wire)|permissions|live|domains/(alerts|people/(accounts|person-fields|sign-ins)))\\.ts",
    "console/src/(session|ui/(status|theme|format|page|router))/(?!(theme|use-blocker|save-file|use-has-payments|use-edit-record|new-account|return-page|money|facts|step-head|head-button)\\.)",
    "console/src/(ui/refresh-button|domain/(alerts/(alert-status|alert-text)|device-links|joint-link)|table/filters/(use-)?filters)\\.tsx?",
  ].join("|"),
);

/** Where the server listens that the development console talks to. */
const server = process.env.SERVER_URL ?? "http://localhost:8080";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), preloadFonts(), zodParts(), mantineVariables()],
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
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "base", test: base }] } } },
  },
});
