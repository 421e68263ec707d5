// npm test: the checks, the unit and integration tests, the browser tests. The last line counts them all.
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { check } from "./check.mjs";
import { browserTests, prepareData } from "./e2e.mjs";
import { firstLines, run } from "./launch.mjs";
import { findNats } from "./nats.mjs";
import { keep, root } from "./place.mjs";
import { setup } from "./setup.mjs";
import { testEnvironment } from "./test-environment.mjs";

const report = join(keep, "vitest.json");

/** A test file that fails to load contains no failed test, but counts as failed. */
const brokenFiles = ({ testResults }) =>
  testResults.filter(
    ({ status, assertionResults }) => status === "failed" && !assertionResults.some((test) => test.status === "failed"),
  );

/** What failed, file and test with the first lines of its message. */
const failuresOf = ({ testResults }) => [
  ...brokenFiles({ testResults }).map(({ name, message }) => `${relative(root, name)}\n${firstLines(message)}`),
  ...testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "failed")
      .map(
        ({ fullName, failureMessages }) =>
          `${relative(root, name)} › ${fullName}\n${firstLines(failureMessages.join("\n"))}`,
      ),
  ),
];

const countOf = (code) => {
  try {
    const result = JSON.parse(readFileSync(report, "utf8"));
    const failures = failuresOf(result);
    if (code !== 0 && failures.length === 0) failures.push(`Vitest ended with ${code}: see its output`);
    const skipped = result.numPendingTests + (result.numTodoTests ?? 0);
    return { passed: result.numPassedTests, failed: failures.length, skipped, failures };
  } catch {
    return { passed: 0, failed: 1, skipped: 0, failures: [`Vitest ended with ${code} and left no report`] };
  }
};

const vitest = async (node) => {
  rmSync(report, { force: true });
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const code = await run(node, [join(root, "node_modules/vitest/vitest.mjs"), ...args], {
    env: testEnvironment(node, { NATS_SERVER: nats }),
  });
  return countOf(code);
};

const node = await setup();
// Before anything else installs something: of two installations at once one fails.
const nats = await findNats();
mkdirSync(keep, { recursive: true });
const failures = [];
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
  const { passed, failed, skipped = 0, failures: failedHere = [] } = await part(node);
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
  failures.push(...failedHere.map((failure) => `${name}: ${failure}`));
}
if (failures.length > 0) console.log(`\nFailed:\n${failures.join("\n")}`);
process.exitCode = total.failed > 0 ? 1 : 0;
console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ""}`);
