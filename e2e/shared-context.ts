import type { Browser, BrowserContext, Request } from "@playwright/test";

/** A browser context that tests use one after the other, each with its own page: a new context would load and compile the whole console again. */
export interface SharedContext {
  context: BrowserContext;
  /** The options of the tests that share it. */
  wanted: string;
  /** The requests without an answer, with their age in seconds: what a test that ran into its timeout may have waited for. */
  unanswered(): string[];
  /** Cleans up after a test; returns whether it succeeded completely. */
  clean(): Promise<boolean>;
  close(): Promise<void>;
}

/** Opens a context for the tests of a server, with the running test's options. */
export const openSharedContext = async (browser: Browser, baseURL: string, wanted: string): Promise<SharedContext> => {
  // A service worker would outlive the test, and its requests pass by `page.route`.
  const context = await browser.newContext({ serviceWorkers: "block" });
  // Without an open page the browser closes its window, and the next page opens a new one.
  const keeper = await context.newPage();
  await keeper.goto(`${baseURL}/healthz`);
  const session = await context.newCDPSession(keeper);
  const open = new Map<Request, number>();
  context.on("request", (request) => open.set(request, performance.now()));
  context.on("requestfinished", (request) => open.delete(request));
  context.on("requestfailed", (request) => open.delete(request));
  return {
    context,
    wanted,
    unanswered: () =>
      Array.from(open, ([request, since]) => {
        const age = ((performance.now() - since) / 1000).toFixed(1);
        return `${age} s ${request.method()} ${request.url()} (${request.resourceType()})`;
      }),
    clean: async () => {
      // A mocked clock can't be restored.
      if (keeper.isClosed() || (await keeper.evaluate(() => "__pwClock" in globalThis))) return false;
      const left = context.pages().filter((page) => page !== keeper);
      await Promise.all(left.map((page) => page.close()));
      await context.unrouteAll({ behavior: "ignoreErrors" });
      open.clear();
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
