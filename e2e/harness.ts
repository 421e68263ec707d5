import { type BrowserContextOptions, test as base, type Page } from "@playwright/test";
import { type MailServer, startMailServer } from "./mail-server.ts";
import type { RunningServer } from "./server-process.ts";
import { openSharedContext, type SharedContext } from "./shared-context.ts";
import { type WorkerServers, workerServers } from "./worker-servers.ts";

export { expect } from "@playwright/test";

interface TestFixtures {
  /** `test.use({ demo: false })` at the top of a file: a server without the demonstration plant. */
  demo: boolean;
  /** `test.use({ own: "…" })` at the top of a file: a server that is not shared with other files' tests. */
  own: string;
  /** `test.use({ isFirstStart: true })` at the top of a file: a server whose first start is part of the test. */
  isFirstStart: boolean;
  /** The server of this file, shared by its tests, which run in order. */
  server: RunningServer;
  /** Opens a page of another user: in a browser context of its own, which ends with the test. */
  openElsewhere: (options?: BrowserContextOptions) => Promise<Page>;
}

interface WorkerFixtures {
  /** The servers of the tests that this worker runs, started when first needed. */
  servers: WorkerServers;
  /** Receives the mails of the servers of `mailing.ts`. */
  mail: MailServer;
  /** The browser context of the last test, reused by the next one with the same options. */
  shared: { last?: SharedContext };
}

/** Lines of a server's log from warnings up. */
const warningsIn = (output: string): string[] =>
  output.split("\n").flatMap((line) => (/"level":[456]0/.test(line) ? [line.slice(0, 2_000)] : []));

/**
 * Playwright's `test` with a real server behind `page`: `page.goto("/login")` reaches it. A test that kills its server or changes it irreversibly
 * starts its own with `startServer`.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  demo: [true, { option: true }],
  own: ["", { option: true }],
  isFirstStart: [false, { option: true }],
  // Not options of the worker: Playwright would end worker, browser and server for each file with others, and start them again after it.
  server: [
    async ({ servers, demo, own, isFirstStart }, use) => {
      const isShared = own === "" && !isFirstStart;
      await use(
        await servers.of(
          `${own}${demo ? " demo" : ""}${isFirstStart ? " first" : ""}`,
          { demo, isFirstStart },
          isShared,
        ),
      );
    },
    { scope: "test", timeout: 120_000 },
  ],
  servers: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures needed from the pattern
    async ({}, use) => {
      const servers = workerServers();
      await use(servers);
      await servers.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  mail: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures needed from the pattern
    async ({}, use) => {
      const mail = await startMailServer();
      await use(mail);
      await mail.stop();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ server }, use) => use(server.baseURL),
  openElsewhere: async ({ browser, baseURL }, use) => {
    const opened: Page[] = [];
    await use(async (options) => {
      const context = await browser.newContext({
        serviceWorkers: "block",
        ...(baseURL ? { baseURL } : {}),
        ...options,
      });
      const page = await context.newPage();
      opened.push(page);
      return page;
    });
    await Promise.all(opened.map((page) => page.context().close()));
  },
  shared: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures needed from the pattern
    async ({}, use) => {
      const shared: { last?: SharedContext } = {};
      await use(shared);
      await shared.last?.close();
    },
    { scope: "worker" },
  ],
  context: async (
    {
      browser,
      shared,
      baseURL,
      server,
      viewport,
      isMobile,
      hasTouch,
      deviceScaleFactor,
      locale,
      timezoneId,
      colorScheme,
      reducedMotion,
    },
    use,
    testInfo,
  ) => {
    const screen = { viewport, isMobile, hasTouch, deviceScaleFactor, locale, timezoneId, colorScheme, reducedMotion };
    const wanted = JSON.stringify({ baseURL, ...screen });
    if (shared.last?.wanted !== wanted) {
      await shared.last?.close();
      shared.last = await openSharedContext(browser, baseURL ?? "", wanted);
    }
    const { last } = shared;
    await use(last.context);
    if (testInfo.status !== testInfo.expectedStatus) {
      await testInfo.attach("unanswered requests", { body: last.unanswered().join("\n") || "none" });
      await testInfo.attach("the server's warnings", { body: warningsIn(server.output()).join("\n") || "none" });
    }
    const isFit = testInfo.status === testInfo.expectedStatus && (await last.clean());
    if (!isFit) {
      shared.last = undefined;
      await last.close();
    }
  },
});
