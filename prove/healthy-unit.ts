import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@telltale/contract/call/client";
import { history } from "@telltale/contract/domains/readings/history";
import type { RunningServer } from "../e2e/server-process.ts";
import { addUnit, connectUnit, idsOf, publish } from "../e2e/unit.ts";

/** A well-behaved device that reports during an attack. */
export interface HealthyUnit {
  /** Stops reporting; returns how many readings were acknowledged, how many are stored, and the slowest acknowledgement in milliseconds. */
  finish(client: Client): Promise<{ acknowledged: number; stored: number; slowest: number }>;
}

const readingsStored = async (client: Client, channelId: number): Promise<number> => {
  const { data } = await client(history.periods, { channelId });
  const logId = data.at(-1)?.logGroupId;
  return logId === undefined ? 0 : (await client(history.chart, { logId })).count;
};

/** Starts a unit of the owner's plant that reports ten times per second. */
export const startHealthyUnit = async (server: RunningServer, owner: string): Promise<HealthyUnit> => {
  const unit = await addUnit(server, { owner, model: "AIS" });
  const client = await connectUnit(server, unit);
  let [acknowledged, slowest, isWanted] = [0, 0, true];
  const run = async (): Promise<void> => {
    while (isWanted) {
      const began = performance.now();
      await publish(client, { ts: Date.now(), values: { AI1: 20 } });
      acknowledged += 1;
      slowest = Math.max(slowest, performance.now() - began);
      await sleep(100);
    }
    await client.endAsync();
  };
  const done = run();
  return {
    finish: async (asOwner) => {
      isWanted = false;
      await done;
      const { channels } = await idsOf(asOwner, unit.deviceSnId);
      return { acknowledged, stored: await readingsStored(asOwner, channels.AI1 ?? 0), slowest };
    },
  };
};
