import { audit } from "@telltale/contract/domains/audit";
import { createRetentionJob } from "../modules/storage/index.ts";
import { chartOf, pointsOf, storedMonths } from "../telemetry/index.ts";
import { testExports } from "./test-exports.ts";
import type { Person } from "./test-people.ts";
import { writeReadings } from "./test-readings.ts";
import type { TestServer } from "./test-server.ts";

const hour = 3_600_000;

export const at = (time: string): number => Date.parse(time);

/** Plants with a history, and the job that keeps it as long as was said. The server's time is November 15, 2026. */
export const testRetention = (server: TestServer) => {
  const { world } = server;
  const plant = testExports(server);
  world.clock.jump(at("2026-11-15T12:00:00Z") - world.clock.now());

  const retain = (months: number | null = null) => createRetentionJob(world, months).run();

  const months = async (): Promise<string[]> => (await storedMonths(world.pool)).map(({ table }) => table.slice(-7));

  const line = (channelId: number, from: number, to: number) => chartOf(world.pool, channelId, from, to, 1_500);

  const readings = async (channelId: number, from: number, to: number): Promise<number> =>
    (await pointsOf(world.pool, channelId, from, to, { page: 1, size: 10 })).total;

  /** A reading every hour for two days from each of these times. */
  const aHistory = async (...times: string[]) => {
    const made = await plant.aPlant();
    await plant.setZone(made.device.deviceId, "UTC");
    for (const time of times)
      await writeReadings(
        world,
        made.AI1,
        Array.from({ length: 48 }, (_, n) => [at(time) + n * hour + 5_000, n] as const),
      );
    await plant.packAll();
    return made;
  };

  /** Entries of the plant's audit log about its readings, newest first. */
  const auditOf = async ({ owner }: { owner: Person }, subject = "readings") =>
    (await server.as(owner)(audit.list, { page: 1, size: 50 })).data.filter(({ action }) =>
      action.startsWith(`${subject}.`),
    );

  return { ...plant, retain, months, line, readings, aHistory, auditOf };
};

export type TestRetention = ReturnType<typeof testRetention>;
