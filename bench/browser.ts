import { chromium, type Page } from "@playwright/test";

/** Undefined uses Playwright's own Chromium. */
export const executablePath = process.env.CHROMIUM_PATH;
export const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Runs `work` with a page of a real browser at desktop size, signed in by `token`; further pages of its context are, too. */
export const withPage = async <T>(baseURL: string, token: string, work: (page: Page) => Promise<T>): Promise<T> => {
  const browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: quiet });
  try {
    const context = await browser.newContext({ baseURL, viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await page.goto(`/dashboard?accessToken=${token}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    return await work(page);
  } finally {
    await browser.close();
  }
};

/** JavaScript heap of the page after a garbage collection, megabytes. */
export const heapOf = async (page: Page): Promise<number> => {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize / 2 ** 20;
};
