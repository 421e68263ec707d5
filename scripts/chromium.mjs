import { accessSync, constants, existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
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

const isProgram = (file) => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const onPath = () =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(isProgram);

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

const fromDebian = async () => {
  if (process.getuid?.() !== 0 || !isProgram("/usr/bin/apt-get")) return;
  const env = {
    ...process.env,
    PATH: `${process.env.PATH}:/usr/sbin:/usr/bin:/sbin:/bin`,
    DEBIAN_FRONTEND: "noninteractive",
  };
  const install = (browser) =>
    runQuietly("/usr/bin/apt-get", ["install", "--yes", "--no-install-recommends", browser, "fonts-liberation"], {
      env,
      timeout: 900_000,
    });
  await runQuietly("/usr/bin/apt-get", ["update"], { env, timeout: 300_000 });
  // Older releases of Debian have no shell.
  if ((await install("chromium-headless-shell")).code !== 0) await install("chromium");
};

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
  const found = await firstThatWorks(process.env.CHROMIUM_PATH, onPath(), playwrightsOwn());
  if (found) return found;
  return withProgress("Installing Chromium for the browser tests (once)", async () => {
    await fromDebian();
    const packaged = await firstThatWorks(onPath());
    if (packaged) return packaged;
    await fromPlaywright(node);
    return firstThatWorks(playwrightsOwn());
  });
};
