// npm run check: all checks that do not run the product.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { environmentFor, runQuietly } from "./launch.mjs";
import { root } from "./place.mjs";
import { setup } from "./setup.mjs";

const parts = ["contract", "server", "console", "simulator", "bench", "prove", "e2e"];
const packaged = (path) => join(root, "node_modules", path);

const checks = [
  [
    "style and lint (Biome)",
    [packaged("@biomejs/biome/bin/biome"), "check", "--error-on-warnings", "--max-diagnostics=100"],
  ],
  ["types (tsc)", [packaged("typescript/bin/tsc"), "--project", "."]],
  [
    "who imports whom (dependency-cruiser)",
    [packaged("dependency-cruiser/bin/dependency-cruiser.mjs"), "--config", ".dependency-cruiser.mjs", ...parts],
  ],
  ["nothing unused (knip)", [packaged("knip/bin/knip.js"), "--no-progress", "--treat-config-hints-as-errors"]],
  ["rules of the house", ["scripts/check-house.mjs"]],
  ["links of README and docs", ["scripts/check-links.mjs"]],
];

/** Runs every check, even after a failure; resolves with the numbers of passed and failed checks and the names of the latter. */
export const check = async (node) => {
  const failures = [];
  for (const [name, args] of checks) {
    const start = Date.now();
    const { code, output } = await runQuietly(node, args, { env: environmentFor(node) });
    const seconds = ((Date.now() - start) / 1000).toFixed(1);
    console.log(`${code === 0 ? "✔" : "✘"} ${name} (${seconds} s)`);
    if (code !== 0) {
      failures.push(name);
      console.log(output.trimEnd());
    }
  }
  return { passed: checks.length - failures.length, failed: failures.length, failures };
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { failed } = await check(await setup());
  process.exitCode = failed > 0 ? 1 : 0;
}
