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
            "scripts/**/*.test.mjs",
            ...pureServer,
          ],
        },
      },
      // By themselves, after the others: they load the machine.
      { test: { name: "faults", include: ["prove/**/*.test.ts"], sequence: { groupOrder: 1 } } },
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
