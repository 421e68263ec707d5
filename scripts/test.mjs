// npm test: the checks, the unit and integration tests, the browser tests. The last line counts them all.
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { check } from "./check.mjs";
import { browserTests, prepareData } from "./e2e.mjs";
import { environmentFor, run } from "./launch.mjs";
import { compiled, keep, root } from "./place.mjs";
import { setup } from "./setup.mjs";

const report = join(keep, "vitest.json");

/** A test file that fails to load contains no failed test, but counts as failed. */
const brokenFiles = ({ testResults }) =>
  testResults.filter(
    ({ status, assertionResults }) => status === "failed" && !assertionResults.some((test) => test.status === "failed"),
  );

const countOf = (code) => {
  try {
    const result = JSON.parse(readFileSync(report, "utf8"));
    const failed = result.numFailedTests + brokenFiles(result).length;
    const skipped = result.numPendingTests + (result.numTodoTests ?? 0);
    return { passed: result.numPassedTests, failed: code !== 0 && failed === 0 ? 1 : failed, skipped };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
};

const vitest = async (node) => {
  rmSync(report, { force: true });
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const code = await run(node, [join(root, "node_modules/vitest/vitest.mjs"), ...args], {
    env: environmentFor(node, compiled),
  });
  return countOf(code);
};

const node = await setup();
mkdirSync(keep, { recursive: true });
const total = { passed: 0, failed: 0, skipped: 0 };
let preparing = Promise.resolve();
const parts = [
  ["Checks", check],
  [
    "Unit and integration tests",
    (node) => {
      preparing = prepareData(node);
      return vitest(node);
    },
  ],
  ["Browser tests", async (node) => browserTests(node, [], await preparing)],
];
for (const [name, part] of parts) {
  console.log(`\n── ${name}`);
  const { passed, failed, skipped = 0 } = await part(node);
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
}
process.exitCode = total.failed > 0 ? 1 : 0;
console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ""}`);
