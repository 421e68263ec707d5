import type { Browser, BrowserContext } from "@playwright/test";

/** A browser context that tests use one after the other, each with its own page: a new context would load and compile the whole console again. */
export interface SharedContext {
  context: BrowserContext;
  /** The options of the tests that share it. */
  wanted: string;
  /** Cleans up after a test; returns whether it succeeded completely. */
  clean(): Promise<boolean>;
  close(): Promise<void>;
}

/** Opens a context for the tests of a server, with the running test's options. */
export const openSharedContext = async (browser: Browser, baseURL: string, wanted: string): Promise<SharedContext> => {
  const context = await browser.newContext();
  // Without an open page the browser closes its window, and the next page opens a new one.
  const keeper = await context.newPage();
  await keeper.goto(`${baseURL}/healthz`);
  const session = await context.newCDPSession(keeper);
  return {
    context,
    wanted,
    clean: async () => {
      // A mocked clock can't be restored.
      if (keeper.isClosed() || (await keeper.evaluate(() => "__pwClock" in globalThis))) return false;
      const left = context.pages().filter((page) => page !== keeper);
      await Promise.all(left.map((page) => page.close()));
      await context.unrouteAll({ behavior: "ignoreErrors" });
      await session.send("Storage.clearDataForOrigin", { origin: baseURL, storageTypes: "cookies,local_storage" });
      await context.clearCookies();
      return true;
    },
    close: async () => {
      // For a failed test Playwright records the first page, which has to be the test's own.
      await keeper.close();
      await context.close();
    },
  };
};
