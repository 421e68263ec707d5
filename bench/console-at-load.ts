import { fork } from "node:child_process";
import { once } from "node:events";
import { constants, setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@telltale/contract/call/client";
import { channels } from "@telltale/contract/domains/channels";
import { dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { devices } from "@telltale/contract/domains/devices";
import { downloads } from "@telltale/contract/domains/readings/downloads";
import { history } from "@telltale/contract/domains/readings/history";
import { middleOf } from "./median.ts";

/** A console and for how long it asks, seconds. */
interface Order {
  baseURL: string;
  token: string;
  seconds: number;
  /** Dashboards whose lines it asks for in turn, with the other lists; none: only a chart and values. */
  boards: readonly number[];
}

/** Median durations of the answers by what was asked for, milliseconds. */
export type Waits = Readonly<Record<string, number>>;

/** Consoles run on other machines: this one does not wait for a processor behind the load generator. */
const takePrecedence = (): void => {
  try {
    setPriority(constants.priority.PRIORITY_HIGHEST);
  } catch {
    process.stderr.write("The console that measures answers has no precedence: only root may give it\n");
  }
};

const askEverySecond = async ({ baseURL, token, seconds, boards }: Order): Promise<Waits> => {
  const client = createClient({ baseUrl: baseURL, token: () => token });
  const deviceId = (await client(devices.list, { size: 1 })).data[0]?.deviceId ?? 0;
  const times = new Map<string, number[]>();
  const timed = async <T>(kind: string, work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const answer = await work();
    times.set(kind, [...(times.get(kind) ?? []), performance.now() - start]);
    return answer;
  };
  const valuesOf = async () => (await client(channels.grouped, { deviceId }))[0]?.channels[0];
  // The load has to have begun: without readings there is no period to ask for.
  await sleep(6_000);
  const channelId = (await valuesOf())?.deviceChannelId ?? 0;
  const logId = (await client(history.periods, { channelId })).data[0]?.logGroupId ?? 0;
  const end = performance.now() + (seconds - 6) * 1000;
  for (let round = 0; performance.now() < end; round++) {
    const newest = (await timed("newest values of a device", valuesOf))?.updateTime?.getTime() ?? Date.now();
    // By the device's times, told in whole seconds: at more than a thousand messages a second, no two of one time, they are ahead of the clock, more so every minute.
    const lastMinute = { startTime: new Date(newest - 59_000), endTime: new Date(newest + 1_000) };
    await timed("chart of the last minute", () => client(history.chart, { logId, ...lastMinute }));
    const dashboardId = boards[round % boards.length];
    if (dashboardId !== undefined) {
      await timed("newest readings of a channel, a page", () => client(history.points, { logId, ...lastMinute }));
      const lastSecond = { startTime: new Date(newest - 1_000), endTime: new Date(newest) };
      await timed("file of a device's last second", async () =>
        (await client(downloads.readings, { deviceId, ...lastSecond })).text(),
      );
      await timed("list of devices", () => client(devices.list, {}));
      await timed("last hour of 64 tiles", () => client(dashboards.sparklines, { dashboardId }));
    }
    await sleep(1_000);
  }
  return Object.fromEntries([...times].map(([kind, each]) => [kind, middleOf(each)]));
};

/** Asks from a process of its own every second for what screens show. */
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
