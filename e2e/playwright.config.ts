import { defineConfig } from "@playwright/test";

/** Undefined uses Playwright's own Chromium. */
const executablePath = process.env.CHROMIUM_PATH;

export default defineConfig({
  testDir: ".",
  outputDir: "../test-results",
  globalSetup: "./test-setup.ts",
  // Each worker has its own server, database and browser. One more than the two processors that this is tuned for: tests often wait for a server or a
  // device.
  workers: 3,
  // A shared machine may stand still for many seconds when its disk is busy.
  timeout: 180_000,
  // Tests check that something happens, not how fast: the benchmarks measure time.
  expect: { timeout: 30_000 },
  forbidOnly: true,
  // Several browsers, servers and databases share a small machine; a test that passes only on retry is reported as flaky.
  retries: 2,
  use: {
    // Tracing every step is slow, and most tests pass at the first attempt.
    trace: "on-first-retry",
    screenshot: "only-on-failure",
    // Screens are checked without animation; journey.spec.ts runs with it.
    reducedMotion: "reduce",
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      // Letters as wide as on a desktop: the headless shell rounds them otherwise.
      args: [
        "--font-render-hinting=none",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-sync",
      ],
    },
  },
  projects: [
    { name: "desktop", testIgnore: "phone.spec.ts", use: { viewport: { width: 1440, height: 900 } } },
    {
      name: "phone",
      // Only what is arranged or operated differently on phones; the rest of a tested screen is the same at every width.
      grep: /@phone/,
      use: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    },
  ],
});
