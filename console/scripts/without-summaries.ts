import type { Plugin } from "vite";

const summary = /^ +summary:\s*(?:"(?:[^"\\]|\\.)*"|`[^`]*`),?$/gm;

/** Leaves the calls' lines for the API documentation out of the console's build: nobody sees them there. */
export const withoutSummaries = (): Plugin => ({
  name: "without-summaries",
  apply: "build",
  enforce: "pre",
  transform: {
    filter: { id: /contract\/src\/domains\/.*\.ts$/ },
    handler: (code) => code.replace(summary, ""),
  },
});
