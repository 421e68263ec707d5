import { defineConfig } from "@playwright/test";

/** Without it Playwright uses its own Chromium. */
const executablePath = process.env.CHROMIUM_PATH;

export default defineConfig({
  testDir: ".",
  outputDir: "../test-results",
  globalSetup: "./test-setup.ts",
  // Each worker has a server, a database and a browser of its own.
  // One more than the two processors that they are made for: a test often waits for what a server or a device does in its own time.
  workers: 3,
  timeout: 90_000,
  // Not how fast it is, but that it happens: the benchmarks measure time.
  expect: { timeout: 20_000 },
  forbidOnly: true,
  // Two browsers, two servers and their databases share a small machine; what passes at the second try only is told as flaky.
  retries: 1,
  use: {
    // Recording every step costs time, and most tests pass at the first try.
    trace: "on-first-retry",
    screenshot: "only-on-failure",
    // What is seen is judged at rest; journey.spec.ts goes through the console as it moves.
    reducedMotion: "reduce",
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-sync"],
    },
  },
  projects: [
    { name: "desktop", testIgnore: "phone.spec.ts", use: { viewport: { width: 1440, height: 900 } } },
    {
      name: "phone",
      // What is arranged or operated otherwise there; the rest of a tested screen is the same at every width.
      grep: /@phone/,
      use: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    },
  ],
});
