import { join, resolve } from "node:path";

/** In the npm package all programs lie bundled side by side; see scripts/package. */
const isPackage = import.meta.filename.endsWith(".js");

/** The program of the operator's commands. */
export const operatorProgram = join(
  import.meta.dirname,
  isPackage ? "server-src-operator-main.js" : "../../server/src/operator/main.ts",
);

/** How the command is called here, for texts that say what to type: bin/telltale.mjs knows how it was started. */
export const command = process.env.TELLTALE_COMMAND ?? "npx telltale";

/** Resolves a path against the folder where the command was typed; a checkout's commands run in its root. */
export const typedFile = (given: string): string => resolve(process.env.INIT_CWD ?? process.cwd(), given);
