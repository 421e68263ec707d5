import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Tests that need a PostgreSQL or a network: everything of the server but its pure rules, and what of the simulator speaks MQTT. */
const connected = ["server/src/**/*.test.ts", "simulator/src/{device,replay}/**/*.test.ts"];
/** Pure rules, decoders and the like: no database, no network, a blink each. */
const pureServer = [
  "server/src/**/rules.test.ts",
  "server/src/**/*.rules.test.ts",
  "server/src/alarms/evaluate*.test.ts",
];

export default defineConfig({
  test: {
    // Files often wait for a device or a clock: half as many again as there are processors keep these busy.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    projects: [
      {
        test: {
          name: "unit",
          isolate: false,
          include: [
            "contract/src/**/*.test.ts",
            "console/src/**/*.test.{ts,tsx}",
            "simulator/src/**/*.test.ts",
            "scripts/**/*.test.mjs",
            ...pureServer,
          ],
          exclude: connected.filter((files) => files.startsWith("simulator")),
        },
      },
      // By themselves, after the others: they load the machine.
      { test: { name: "faults", include: ["prove/**/*.test.ts"], sequence: { groupOrder: 1 } } },
      {
        test: {
          name: "integration",
          // The server's modules are loaded once for all files of a worker: they keep no state of their own.
          isolate: false,
          include: connected,
          exclude: pureServer,
          globalSetup: ["server/src/platform/database/test-setup.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
