import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { installFromDebian, programOf } from "./debian.mjs";
import { environmentFor, runQuietly, withProgress } from "./launch.mjs";
import { root } from "./place.mjs";

/** The headless shell first: the same browser without its own windows costs less of the processor. */
const names = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
];

/** Resolved late: the package may have just been installed. */
const playwrightsOwn = () => {
  const require = createRequire(join(root, "package.json"));
  const file = require("@playwright/test").chromium.executablePath();
  return existsSync(file) ? file : undefined;
};

/** Whether the program works: some systems have a `chromium` that only prints how to install the real one. */
const works = async (file) =>
  file && (await runQuietly(file, ["--version", "--no-sandbox"], { timeout: 30_000 })).code === 0;

const firstThatWorks = async (...files) => {
  for (const file of files) if (await works(file)) return file;
  return undefined;
};

// Older releases of Debian have no shell.
const fromDebian = () =>
  installFromDebian(["chromium-headless-shell", "fonts-liberation"], ["chromium", "fonts-liberation"]);

const fromPlaywright = (node) =>
  runQuietly(node, [join(root, "node_modules/@playwright/test/cli.js"), "install", "chromium"], {
    env: environmentFor(node),
    timeout: 600_000,
  });

/**
 * Finds a Chromium for the browser tests: the one at CHROMIUM_PATH, on the PATH or Playwright's; otherwise installs one, from Debian as root, or by
 * Playwright. Undefined when none is available.
 */
export const findChromium = async (node) => {
  const found = await firstThatWorks(process.env.CHROMIUM_PATH, programOf(...names), playwrightsOwn());
  if (found) return found;
  return withProgress("Installing Chromium for the browser tests (once)", async () => {
    await fromDebian();
    const packaged = await firstThatWorks(programOf(...names));
    if (packaged) return packaged;
    await fromPlaywright(node);
    return firstThatWorks(playwrightsOwn());
  });
};
