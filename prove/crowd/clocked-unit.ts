import type { TelemetryPayload } from "@telltale/contract/device-api";
import type { MqttClient } from "mqtt";
import type { RunningServer } from "../../e2e/server-process.ts";
import { connectUnit, publish } from "../../e2e/unit.ts";

/** An acknowledged reading; `ts` is undefined where the server assigns the time. */
export interface Acknowledged {
  ts: number | undefined;
  value: number;
}

/** A device with its own clock that numbers its readings by their values. */
export interface ClockedUnit {
  /** Milliseconds by which its clock is ahead. */
  ahead: number;
  acknowledged: readonly Acknowledged[];
  /** Sends the next reading, or this one; resolves with its acknowledgement. */
  report(value?: number): Promise<void>;
  end(): Promise<void>;
}

/** `hasClock` false: sends no time, so that the server assigns it. */
export const connectClockedUnit = async (
  server: RunningServer,
  accessToken: string,
  hasClock: boolean,
): Promise<ClockedUnit> => {
  const client: MqttClient = await connectUnit(server, { accessToken });
  const acknowledged: Acknowledged[] = [];
  let number = 0;
  const unit: ClockedUnit = {
    ahead: 0,
    acknowledged,
    report: async (value) => {
      // Every reading has a unique value, so that each can be found again: integers below 80, with the sequence number in the decimals.
      number += 1;
      const own = (value ?? 10 + (number % 60)) + number / 100_000;
      const ts = hasClock ? Date.now() + unit.ahead : undefined;
      const payload: TelemetryPayload = ts === undefined ? { AI1: own } : { ts, values: { AI1: own } };
      await publish(client, payload);
      acknowledged.push({ ts, value: own });
    },
    end: () => client.endAsync(),
  };
  return unit;
};
