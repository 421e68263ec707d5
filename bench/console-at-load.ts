import { fork } from "node:child_process";
import { once } from "node:events";
import { constants, setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@telltale/contract/call/client";
import { channels } from "@telltale/contract/domains/channels";
import { devices } from "@telltale/contract/domains/devices";
import { history } from "@telltale/contract/domains/readings/history";
import { middleOf } from "./median.ts";

/** A console and for how long it asks, seconds. */
interface Order {
  baseURL: string;
  token: string;
  seconds: number;
}

/** Median durations of the answers, milliseconds. */
export interface Waits {
  chart: number;
  values: number;
}

/** Consoles run on other machines: this one does not wait for a processor behind the load generator. */
const takePrecedence = (): void => {
  try {
    setPriority(constants.priority.PRIORITY_HIGHEST);
  } catch {
    process.stderr.write("The console that measures answers has no precedence: only root may give it\n");
  }
};

const askEverySecond = async ({ baseURL, token, seconds }: Order): Promise<Waits> => {
  const client = createClient({ baseUrl: baseURL, token: () => token });
  const deviceId = (await client(devices.list, { size: 1 })).data[0]?.deviceId ?? 0;
  const [group] = await client(channels.grouped, { deviceId });
  const channelId = group?.channels[0]?.deviceChannelId ?? 0;
  const times: Record<keyof Waits, number[]> = { chart: [], values: [] };
  const timed = async (kind: keyof Waits, work: () => Promise<unknown>): Promise<void> => {
    const start = performance.now();
    await work();
    times[kind].push(performance.now() - start);
  };
  // The load has to have begun: without readings there is no period to ask for.
  await sleep(6_000);
  const logId = (await client(history.periods, { channelId })).data[0]?.logGroupId ?? 0;
  const end = performance.now() + (seconds - 6) * 1000;
  while (performance.now() < end) {
    await timed("chart", () => client(history.chart, { logId, latest: 60_000 }));
    await timed("values", () => client(channels.grouped, { deviceId }));
    await sleep(1_000);
  }
  return { chart: middleOf(times.chart), values: middleOf(times.values) };
};

/** Asks from a process of its own for the chart of the last minute and the newest values of a device, every second. */
export const askMeanwhile = async (order: Order): Promise<Waits> => {
  const child = fork(import.meta.filename, { execArgv: ["--disable-warning=ExperimentalWarning"] });
  child.send(order);
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`The console that measures answers has ended (code ${code})`);
  });
  const [waits] = (await Promise.race([once(child, "message"), ended])) as [Waits];
  child.disconnect();
  return waits;
};

if (process.argv[1] === import.meta.filename && process.send) {
  takePrecedence();
  const [order] = (await once(process, "message")) as [Order];
  process.send(await askEverySecond(order));
}
