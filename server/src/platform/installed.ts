import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fieldOf } from "./fault.ts";

/** The npm package has no sources: Node strips no types below node_modules. Its programs lie side by side in `dist` (scripts/package). */
const isPackage = import.meta.filename.endsWith(".js");

/** Folder of the checkout or of the installed package; what is read from it has the same path in both. */
export const root = join(import.meta.dirname, isPackage ? ".." : "../../..");

/** The file to run or to load as a worker, by the path of its source below the root. */
export const programFile = (source: string): string =>
  join(root, isPackage ? `dist/${source.replaceAll("/", "-").replace(/\.ts$/, ".js")}` : source);

/** Whether this is a checkout, which `npm start` installs and builds. */
export const isCheckout = !isPackage;

/** Version of this Telltale. */
export const readVersion = async (): Promise<string> => {
  const text = await readFile(join(root, "package.json"), "utf8");
  return String(fieldOf(JSON.parse(text), "version"));
};

/** How the command is called here, for texts that say what to type: bin/telltale.mjs knows how it was started. */
export const command = process.env.TELLTALE_COMMAND ?? "npx telltale";

/** Resolves a path against the folder where the command was typed; a checkout's commands run in its root. */
export const typedFile = (given: string): string => resolve(process.env.INIT_CWD ?? process.cwd(), given);
