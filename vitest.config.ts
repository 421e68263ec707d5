import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Tests that need a PostgreSQL or a network: everything of the server but its pure rules, and what of the simulator speaks MQTT. */
const connected = ["server/src/**/*.test.ts", "simulator/src/{device,replay}/**/*.test.ts"];
/** Pure rules, decoders and the like: no database, no network, a blink each. */
const pureServer = [
  "server/src/**/rules.test.ts",
  "server/src/**/*.rules.test.ts",
  "server/src/alarms/evaluate*.test.ts",
];

/** SQL users cannot read a database in parts. */
const wholeOnly = ["server/src/modules/sql-access/**", "server/src/operator/sql-users.test.ts"];

/** The files that take longest: started last, they would run alone when the others have ended. */
const longest = ["/prove/", "/scripts/package/", "/released-schemas.test.ts", "/field-messages.test.ts"];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = longest.findIndex((part) => moduleId.includes(part));
      return place < 0 ? longest.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    // Files often wait for a device or a clock: twice as many as there are processors keep these busy.
    maxWorkers: availableParallelism() * 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: "unit",
          isolate: false,
          // Properties compute for a second; beside a browser on a small machine for several.
          testTimeout: 30_000,
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
      { test: { name: "package", include: ["scripts/package/**/*.test.ts"], testTimeout: 60_000 } },
      { test: { name: "faults", include: ["prove/**/*.test.ts"] } },
      {
        test: {
          name: "integration",
          // The server's modules are loaded once for all files of a worker: they keep no state of their own.
          isolate: false,
          include: connected,
          exclude: [...pureServer, ...(process.env.TEST_CITUS ? wholeOnly : [])],
          globalSetup: ["server/src/platform/database/test-setup.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          // On a machine that does more besides, what comes in a moment may take seconds.
          expect: { poll: { timeout: 15_000 } },
        },
      },
    ],
  },
});
