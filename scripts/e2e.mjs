// npm run e2e -- …: the browser tests, or some of them; arguments go to Playwright.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findChromium } from "./chromium.mjs";
import { buildConsole } from "./console-build.mjs";
import { environmentFor, firstLines, run, runQuietly } from "./launch.mjs";
import { keep, root } from "./place.mjs";
import { setup } from "./setup.mjs";
import { testEnvironment } from "./test-environment.mjs";

const report = join(keep, "playwright.json");

/** The tests of a report's suite that failed at every attempt, with the first lines of the first error. */
const failuresOf = ({ suites = [], specs = [] }) => [
  ...specs.flatMap(({ file, line, title, tests }) =>
    tests
      .filter(({ status }) => status === "unexpected")
      .map(({ results }) => `${file}:${line} › ${title}\n${firstLines(results[0]?.errors[0]?.message)}`),
  ),
  ...suites.flatMap(failuresOf),
];

const countOf = (code) => {
  try {
    const result = JSON.parse(readFileSync(report, "utf8"));
    const { expected, unexpected, flaky, skipped } = result.stats;
    const failures = failuresOf(result);
    const isCounted = code === 0 || unexpected > 0;
    if (!isCounted) failures.push(`Playwright ended with ${code}: see its output`);
    return { passed: expected + flaky, failed: isCounted ? unexpected : 1, skipped, failures };
  } catch {
    return { passed: 0, failed: 1, skipped: 0, failures: [`Playwright ended with ${code} and left no report`] };
  }
};

/**
 * Prepares what the servers of a full run start with, beside something else: it mostly waits. Resolves with the folder, or with undefined when that
 * failed and the run has to do it.
 */
export const prepareData = async (node) => {
  const env = testEnvironment(node);
  const folder = mkdtempSync(join(env.TMPDIR ?? tmpdir(), "telltale-e2e-prepared-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const { code, output } = await runQuietly(node, [join(root, "e2e/prepare.ts"), folder], { env });
  if (code === 0) return folder;
  console.log(`The data of the browser tests could not be prepared beforehand\n${output}`);
  return undefined;
};

/** Prints the size of the first screens' JavaScript; resolves with a line for each that is above its limit. */
const tooLargeScreens = async (node) => {
  const { code, output } = await runQuietly(node, [join(root, "console/scripts/first-screen.ts")], {
    env: environmentFor(node),
  });
  console.log(`${code === 0 ? "✔" : "✘"} JavaScript of the first screens\n${output.trimEnd()}`);
  return code === 0 ? [] : [`JavaScript of the first screens: above its limit\n${output.trimEnd()}`];
};

/** Runs the browser tests against real servers; resolves with the numbers of passed and failed tests, and with what failed. */
export const browserTests = async (node, args = [], prepared = "") => {
  await buildConsole(node);
  const isFull = args.length === 0;
  const tooLarge = isFull ? await tooLargeScreens(node) : [];
  const chromium = await findChromium(node);
  if (!chromium) {
    const message = "No Chromium: install one, or set CHROMIUM_PATH";
    console.log(message);
    return { passed: 0, failed: 1, skipped: 0, failures: [message] };
  }
  rmSync(report, { force: true });
  const playwright = join(root, "node_modules/@playwright/test/cli.js");
  const env = testEnvironment(node, { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: report });
  // Data are prepared only for a full run: a single file starts faster without.
  if (isFull) env.E2E_PREPARED = prepared;
  const code = await run(
    node,
    [playwright, "test", "--config", "e2e/playwright.config.ts", "--reporter=list,json", ...args],
    { env },
  );
  const { failed, failures, ...others } = countOf(code);
  return { ...others, failed: failed + tooLarge.length, failures: [...failures, ...tooLarge] };
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { failed } = await browserTests(await setup(), process.argv.slice(2));
  process.exitCode = failed > 0 ? 1 : 0;
}
