import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestOf, isMadeFrom } from "./digest.mjs";
import { compiled, environmentFor, runQuietly } from "./launch.mjs";

const sources = ["server/src", "contract/src", "package-lock.json", "scripts/server-compile.mjs"];
/** What the server loads when it starts; see server/src/main.ts. */
const entries = ["config", "app", "start", "serving", "platform/log", "platform/database/open", "platform/lifecycle"];
const mark = join(compiled, ".server-from");

/**
 * Has Node keep the server's modules compiled, in a process of its own: a server that compiles them itself keeps 20 MB for that as long as it runs.
 * Without effect where the folder is not writable.
 */
export const compileServer = async (node) => {
  const digest = `${digestOf(sources)} ${node}`;
  if (isMadeFrom(mark, digest)) return;
  const imports = entries.map((entry) => `import("./server/src/${entry}.ts")`);
  // The program itself ends at once: a port that is none.
  const program = `await Promise.all([${imports}]); console.log("loaded"); process.env.PORT = "none"; await import("./server/src/main.ts")`;
  const { output } = await runQuietly(node, ["--input-type=module", "--eval", program], { env: environmentFor(node) });
  // The server's own start says what is wrong with its modules.
  if (!output.startsWith("loaded")) return;
  try {
    mkdirSync(compiled, { recursive: true });
    writeFileSync(mark, digest);
  } catch {}
};
