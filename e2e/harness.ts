import { test as base } from "@playwright/test";
import { type RunningServer, startServer } from "./server-process.ts";

export { expect } from "@playwright/test";

interface WorkerFixtures {
  /** `test.use({ demo: false })` at the top of a file: a server without the demonstration plant. */
  demo: boolean;
  /** `test.use({ own: "…" })` at the top of a file: a server that no other file's tests have added anything to. */
  own: string;
  /** `test.use({ isFirstStart: true })` at the top of a file: a server whose first start is part of the test. */
  isFirstStart: boolean;
  /** The server of this file; tests of one file share it, in order. */
  server: RunningServer;
}

/**
 * Playwright's `test` with a real server behind `page`: `page.goto("/login")` reaches it. A test that kills or changes its
 * server beyond repair starts one of its own with `startServer`.
 */
export const test = base.extend<object, WorkerFixtures>({
  demo: [true, { option: true, scope: "worker" }],
  own: ["", { option: true, scope: "worker" }],
  isFirstStart: [false, { option: true, scope: "worker" }],
  server: [
    async ({ demo, isFirstStart }, use) => {
      const server = await startServer({ demo, isFirstStart });
      await use(server);
      await server.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  baseURL: async ({ server }, use) => use(server.baseURL),
});
