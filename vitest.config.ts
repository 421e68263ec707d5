import { defineConfig } from "vitest/config";

/** Tests that need a PostgreSQL: everything of the server but its pure rules. */
const server = ["server/src/**/*.test.ts"];
/** Pure rules, decoders and the like: no database, no network, a blink each. */
const pureServer = [
  "server/src/**/rules.test.ts",
  "server/src/**/*.rules.test.ts",
  "server/src/alarms/evaluate*.test.ts",
];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: [
            "contract/src/**/*.test.ts",
            "console/src/**/*.test.{ts,tsx}",
            "simulator/src/**/*.test.ts",
            "prove/**/*.test.ts",
            "scripts/**/*.test.mjs",
            ...pureServer,
          ],
        },
      },
      {
        test: {
          name: "integration",
          include: server,
          exclude: pureServer,
          globalSetup: ["server/src/database/test-setup.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
