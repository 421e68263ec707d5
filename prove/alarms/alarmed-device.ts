import { setTimeout as sleep } from "node:timers/promises";
import { topics } from "@telltale/contract/device-api";
import { connectAsync } from "mqtt";
import type { Unit } from "../../e2e/unit.ts";
import { repeatingStore } from "../numbered-device.ts";
import type { Random } from "../random.ts";
import { createVaryingValue } from "./varying-value.ts";
import { beyond, sparse, unwatched, usual, watches } from "./watch.ts";

/** What a device has measured at a time by its clock, epoch milliseconds: values by channel code. */
export interface Measured {
  ts: number;
  values: Record<string, number>;
}

/** A device that keeps what it has measured until it is acknowledged, and sends it in order. */
export interface AlarmedDevice {
  /** Everything measured, in order. */
  measured: readonly Measured[];
  /** When each of it was acknowledged, in the same order; epoch milliseconds. */
  acknowledgedAt: readonly number[];
  /** When the delays of what is beyond its limit now end, by the device's clock. */
  dues(): number[];
  /** Keeps all values beyond their limits, or back, from now on. */
  hold(isBeyond: boolean): void;
  /** Lets them vary again. */
  vary(): void;
  /** Resolves when everything measured so far is acknowledged. */
  upToDate(): Promise<void>;
  /** Measures nothing more; resolves when everything is acknowledged. */
  finish(): Promise<void>;
}

/** Milliseconds between two measurements, and before a rejected message is sent again. */
const [every, again] = [500, 100];

/** Measures all channels; of the sparse one only changes are sent. */
const createMeasuring = (random: Random) => {
  const measured: Measured[] = [];
  const since = new Map<string, number>();
  const began = Date.now();
  const values = new Map(watches.map((watch) => [watch.code, createVaryingValue(watch, random, began)]));
  let held: boolean | undefined;
  const measure = (): void => {
    const ts = Math.max(Date.now(), (measured.at(-1)?.ts ?? 0) + 1);
    const sent: Record<string, number> = { [unwatched]: usual };
    for (const { code } of watches) {
      const was = since.has(code);
      const varied = values.get(code)?.isBeyond(ts) ?? false;
      const is = held ?? varied;
      if (is && !was) since.set(code, ts);
      if (!is) since.delete(code);
      if (code !== sparse || is !== was || measured.length === 0) sent[code] = is ? beyond : usual;
    }
    measured.push({ ts, values: sent });
  };
  return {
    measured,
    measure,
    dues: () => watches.flatMap(({ code, onDelay }) => (since.has(code) ? [(since.get(code) ?? 0) + onDelay] : [])),
    hold: (isBeyond: boolean | undefined) => {
      held = isBeyond;
    },
  };
};

/** Starts a device over MQTT, with QoS 1 and one message in flight: what it measures meanwhile follows later, in order. */
export const startAlarmedDevice = async (
  { mqttPort }: { mqttPort: number },
  unit: Unit,
  random: Random,
): Promise<AlarmedDevice> => {
  const client = await connectAsync(`mqtt://127.0.0.1:${mqttPort}`, {
    username: unit.accessToken,
    clientId: unit.name,
    clean: false,
    reconnectPeriod: 200,
    outgoingStore: repeatingStore(),
  });
  client.on("error", () => undefined); // refused while the server is down; the client retries by itself
  const { measured, measure, dues, hold } = createMeasuring(random);
  const acknowledgedAt: number[] = [];
  let isWanted = true;
  const send = async (message: Measured): Promise<void> => {
    for (;;) {
      const isSent = await client.publishAsync(topics.telemetry, JSON.stringify(message), { qos: 1 }).then(
        () => true,
        () => false,
      );
      if (isSent) return;
      await sleep(again);
    }
  };
  const sendAll = async (): Promise<void> => {
    while (isWanted || acknowledgedAt.length < measured.length) {
      const next = measured[acknowledgedAt.length];
      if (!next) await sleep(again);
      else {
        await send(next);
        acknowledgedAt.push(Date.now());
      }
    }
  };
  measure();
  const measuring = setInterval(measure, every);
  const sending = sendAll();
  return {
    measured,
    acknowledgedAt,
    dues,
    hold,
    vary: () => hold(undefined),
    upToDate: async () => {
      for (const all = measured.length; acknowledgedAt.length < all; ) await sleep(again);
    },
    finish: async () => {
      clearInterval(measuring);
      isWanted = false;
      await sending;
      await client.endAsync();
    },
  };
};
