import { AlertClass } from "@telltale/contract/domains/alerts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { aWatchableStation, type Watchable } from "./test-alarms.ts";
import type { Person } from "./test-people.ts";
import type { TestServer } from "./test-server.ts";

/** A station whose readings arrive while time passes and timers look. Times are seconds after the start. */
export interface TimedStation {
  watchable: Watchable;
  /** The start by the server's clock, epoch milliseconds. */
  start: number;
  /** Lets server time pass to a moment, while timers look as often as it takes not to look like a standstill; then they look once more. */
  wait(until: number, by?: Telemetry): Promise<void>;
  /** Passes to the moment and sends a value of a channel (AI3 by default) with this device time; resolves after the commit. */
  send(at: number, value: number, options?: { by?: Telemetry; channel?: string; time?: number }): Promise<void>;
  /** Begin and end of each custom alert, or of another class, with its value and peak. */
  raised(alarmClass?: AlertClass): Promise<(number | null)[][]>;
}

/** Creates a station of the owner, its readings to be sent by `telemetry`. */
export const aTimedStation = async (
  { world }: TestServer,
  telemetry: Telemetry,
  owner: Person,
): Promise<TimedStation> => {
  const { clock, db } = world;
  const watchable = await aWatchableStation(world, owner);
  const { station } = watchable;
  const passTo = async (until: number, by: Telemetry): Promise<void> => {
    while (clock.now() < until) {
      clock.pass(Math.min(20_000, until - clock.now()));
      if (clock.now() < until) await by.alarmTimers.run();
    }
  };
  // Timers wait until kept readings had time to arrive.
  await passTo(clock.now() + 120_000, telemetry);
  const start = clock.now();
  const seconds = (time: Date | null) => time && (time.getTime() - start) / 1000;
  return {
    watchable,
    start,
    wait: async (until, by = telemetry) => {
      await passTo(start + until * 1000, by);
      await by.alarmTimers.run();
    },
    send: async (at, value, { by = telemetry, channel: code = "AI3", time = at } = {}) => {
      await passTo(start + at * 1000, by);
      const device = await by.registry.find({ token: station.accessToken });
      const channel = device?.channels.get(code);
      if (!device || !channel) throw new Error("The device is not known");
      const { promise, resolve } = Promise.withResolvers<string>();
      const times = [start + time * 1000];
      by.writer.submit({ devices: [device], channels: [channel], times, values: [value], done: resolve });
      const outcome = await promise;
      if (outcome !== "stored") throw new Error(`The reading was not stored: ${outcome}`);
      device.heardAt = clock.now();
      await by.alarmTimers.run();
    },
    raised: async (alarmClass = AlertClass.custom) => {
      const rows = await db
        .selectFrom("alerts")
        .selectAll()
        .where("device_id", "=", station.deviceId)
        .where("alarm_class", "=", alarmClass)
        .orderBy("alert_id")
        .execute();
      return rows.map((row) => [seconds(row.created_time), seconds(row.cleared_time), row.value, row.peak]);
    },
  };
};
