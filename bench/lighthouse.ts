import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium } from "@playwright/test";
import { freePort } from "../e2e/server-process.ts";
import { executablePath, quiet } from "./browser.ts";

const execute = promisify(execFile);

/** Installed when it is used first: nothing else needs its 180 MB. */
const version = "13.5.0";
const folder = join(import.meta.dirname, "../.node/lighthouse");
const program = join(folder, "node_modules/lighthouse/cli/index.js");

const install = async (): Promise<void> => {
  if (existsSync(program)) return;
  await execute("npm", ["install", "--prefix", folder, "--no-save", "--no-package-lock", `lighthouse@${version}`]);
};

interface Report {
  categories: { performance: { score: number } };
  audits: Record<string, { numericValue?: number }>;
}

/** What Lighthouse finds of a page on a phone, which it simulates: its score of 0 to 100, times in milliseconds, and the shift of the layout. */
export interface PhoneView {
  score: number;
  firstPaint: number;
  largestPaint: number;
  blocked: number;
  shift: number;
}

/** Opens a page as a phone would with an empty cache; a page behind the login with this token. */
export const onPhone = async (baseURL: string, path: string, token?: string): Promise<PhoneView> => {
  await install();
  const [profile, port] = [await mkdtemp(join(tmpdir(), "telltale-phone-")), await freePort()];
  const browser = await chromium.launchPersistentContext(profile, {
    ...(executablePath ? { executablePath } : {}),
    args: [...quiet, `--remote-debugging-port=${port}`],
  });
  try {
    if (token) {
      const page = await browser.newPage();
      await page.goto(`${baseURL}/dashboard?accessToken=${token}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.close();
    }
    const options = ["--quiet", "--output=json", "--only-categories=performance", `--port=${port}`];
    const { stdout } = await execute(process.execPath, [program, baseURL + path, ...options], { maxBuffer: 2 ** 26 });
    const { categories, audits } = JSON.parse(stdout) as Report;
    const of = (audit: string): number => audits[audit]?.numericValue ?? Number.NaN;
    return {
      score: categories.performance.score * 100,
      firstPaint: of("first-contentful-paint"),
      largestPaint: of("largest-contentful-paint"),
      blocked: of("total-blocking-time"),
      shift: of("cumulative-layout-shift"),
    };
  } finally {
    await browser.close();
    await rm(profile, { recursive: true, force: true });
  }
};
