import { setTimeout as pause } from "node:timers/promises";
import { Code } from "@telltale/contract/call/codes";
import { ApiError } from "../../platform/http/api-error.ts";
import { createTurns } from "../../platform/turns.ts";
import type { Telemetry } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";

/** Past readings wait while a device's message has been waiting for longer than this for its commit, milliseconds. */
const patienceOfDevices = 500;
/** They also wait while so many readings are not merged yet: newest values are read from these. */
const mostUnmerged = 1_500_000;
/** After this time they go on all the same, milliseconds: the import must not stop for good on a busy server. */
const longestWait = 10_000;
const lookEvery = 50;
/** Most portions that wait at a time: each is in memory. Beyond the fewer, those of plants that have none waiting still may: no plant keeps another out. */
const mostWaiting = { ofSome: 8, ofEach: 32 } as const;

/** Has portions of imports stored one at a time, so that they take no more of the server than one client. */
export type StoreInTurn = <T>(plantId: number, store: () => Promise<T>) => Promise<T>;

/** What tells how busy the server is with its devices. */
export interface Devices {
  writer: Pick<Telemetry["writer"], "oldestTs">;
  merger: Pick<Telemetry["merger"], "stats">;
}

/**
 * Creates the order of imports on this server: portions are stored one after the other, and after what devices send. Throws 429 when too many wait.
 * Without telemetry, as in a program without devices, nothing is waited for.
 */
export const createPace = ({ clock }: Pick<World, "clock">, telemetry?: Devices): StoreInTurn => {
  const inTurn = createTurns(1);
  let waiting = 0;
  const ofPlant = new Map<number, number>();
  const change = (plantId: number, by: number): void => {
    waiting += by;
    const count = (ofPlant.get(plantId) ?? 0) + by;
    if (count > 0) ofPlant.set(plantId, count);
    else ofPlant.delete(plantId);
  };
  const isBusy = (): boolean => {
    if (!telemetry) return false;
    const oldest = telemetry.writer.oldestTs() ?? Number.POSITIVE_INFINITY;
    return clock.now() - oldest > patienceOfDevices || telemetry.merger.stats.unmerged > mostUnmerged;
  };
  const afterDevices = async (): Promise<void> => {
    const until = clock.steady() + longestWait;
    while (isBusy() && clock.steady() < until) await pause(lookEvery);
  };
  return async (plantId, store) => {
    if (waiting >= (ofPlant.has(plantId) ? mostWaiting.ofSome : mostWaiting.ofEach))
      throw new ApiError(Code.tooManyTries, "Other imports are being stored. Try again in a few seconds");
    change(plantId, 1);
    try {
      return await inTurn(plantId, async () => {
        await afterDevices();
        return store();
      });
    } finally {
      change(plantId, -1);
    }
  };
};
