import type { Browser, BrowserContext } from "@playwright/test";

/** A browser context that tests have one after the other, each with a page of its own: a new context loads and compiles the whole console anew. */
export interface SharedContext {
  context: BrowserContext;
  /** What the tests want that share it. */
  wanted: string;
  /** Takes away what a test has left; says whether nothing of it is left. */
  clean(): Promise<boolean>;
  close(): Promise<void>;
}

/** Opens a context for the tests of a server, with the options of the running test. */
export const openSharedContext = async (browser: Browser, baseURL: string, wanted: string): Promise<SharedContext> => {
  const context = await browser.newContext();
  // Without a page left the browser closes its window, and the next page begins with a new one.
  const keeper = await context.newPage();
  await keeper.goto(`${baseURL}/healthz`);
  const session = await context.newCDPSession(keeper);
  return {
    context,
    wanted,
    clean: async () => {
      // A clock that was taken over can't be given back.
      if (keeper.isClosed() || (await keeper.evaluate(() => "__pwClock" in globalThis))) return false;
      const left = context.pages().filter((page) => page !== keeper);
      await Promise.all(left.map((page) => page.close()));
      await context.unrouteAll({ behavior: "ignoreErrors" });
      await session.send("Storage.clearDataForOrigin", { origin: baseURL, storageTypes: "cookies,local_storage" });
      await context.clearCookies();
      return true;
    },
    close: async () => {
      // Of a test that has failed its own page is noted, which has to be the first for that.
      await keeper.close();
      await context.close();
    },
  };
};
