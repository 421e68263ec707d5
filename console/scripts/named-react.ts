import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Plugin } from "vite";

const { resolve } = createRequire(import.meta.url);

/** Each with its build for production, from which the names are read. */
const modules: Readonly<Record<string, string>> = {
  react: "react/cjs/react.production.js",
  "react/jsx-runtime": "react/cjs/react-jsx-runtime.production.js",
};
const prefix = "\0named:";

/** Packages of React itself, which `require` each other. */
const ofReact = /node_modules\/(react|react-dom|scheduler)\//;

/** What the console has no use of: React DOM is built without it (react-dom-parts.ts), so importing it fails the build. */
const leftOut = new Set(["ViewTransition", "addTransitionType", "useActionState"]);

/** What the module exports, by its file, which the package does not export. */
const namesOf = (name: string): readonly string[] => {
  const file = resolve("react").replace(/react\/index\.js$/, modules[name] ?? "");
  const names = [...readFileSync(file, "utf8").matchAll(/^exports\.(\w+) =/gm)];
  return names.flatMap(([, exported]) => (exported === undefined || leftOut.has(exported) ? [] : [exported]));
};

/**
 * React as modules with named exports. It is CommonJS, of which every use would be bundled as a property of the module, `(0, react.jsx)(…)`: a
 * thousand of them in the first screens.
 */
export const namedReact = (): Plugin => ({
  name: "named-react",
  apply: "build",
  enforce: "pre",
  resolveId: (id, importer) =>
    id in modules && !importer?.startsWith(prefix) && !ofReact.test(importer ?? "") ? prefix + id : null,
  load(id) {
    if (!id.startsWith(prefix)) return null;
    const name = id.slice(prefix.length);
    const exported = namesOf(name).map((each) => `export const ${each} = all.${each};`);
    return [`import all from ${JSON.stringify(resolve(name))};`, ...exported, "export default all;"].join("\n");
  },
});
