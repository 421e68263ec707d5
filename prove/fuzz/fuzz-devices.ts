import { setTimeout as sleep } from "node:timers/promises";
import { httpPath } from "@telltale/contract/device-api";
import type { RunningServer } from "../../e2e/server-process.ts";
import { addUnit, type Unit } from "../../e2e/unit.ts";
import { inLanes } from "../lanes.ts";
import { createRandom, type Random } from "../random.ts";
import { type DeviceMessage, deviceMessage, strayMessage } from "./device-messages.ts";
import type { Faults } from "./faults.ts";
import { ask, type HttpAnswer, type HttpRequest } from "./http-lane.ts";
import { type MqttLane, openMqttLane } from "./mqtt-lane.ts";
import { damaged } from "./mutate.ts";
import { rawBytes, sendRaw } from "./raw-mqtt.ts";

const perRound = 20;
const lanes = 6;

export interface Attacked {
  server: RunningServer;
  faults: Faults;
  seed: number;
  /** Milliseconds within which a message or a call must be acknowledged or answered, or its connection closed. */
  patience: number;
}

export interface Fleet extends Attacked {
  master: Unit;
  /** Device IDs in messages: its own sub-device, another plant's unit, an unknown one. */
  ids: readonly string[];
}

/** Creates a master with a sub-device, and an unrelated unit of another owner. */
export const createFleet = async ({ owner, ...attacked }: Attacked & { owner: string }): Promise<Fleet> => {
  const { server } = attacked;
  const master = await addUnit(server, { owner, model: "MIX" });
  const sub = await addUnit(server, { owner, model: "AIS", parent: master });
  const other = await addUnit(server, { owner, model: "AIS" });
  return { ...attacked, master, ids: [sub.deviceSnId, sub.deviceSnId, other.deviceSnId, "nobody"] };
};

/** Rounds of messages over MQTT 3.1.1 and 5; the last message of a round may be one that ends the connection. */
export const fuzzMqtt = async (
  { server, master, ids, faults, seed, patience }: Fleet,
  count: number,
): Promise<void> => {
  const open: MqttLane[] = [];
  const laneOf = async (at: number): Promise<MqttLane> => {
    if (open[at]?.isOpen()) return open[at];
    const protocolVersion = at % 2 === 0 ? 4 : 5;
    open[at] = await openMqttLane({ port: server.mqttPort, token: master.accessToken, protocolVersion });
    return open[at];
  };
  await inLanes(lanes, Math.ceil(count / perRound), async (round, at) => {
    const random = createRandom(seed, round);
    const isStray = random.chance(0.1);
    const length = Math.min(perRound, count - round * perRound);
    const messages = Array.from({ length }, () => deviceMessage(random, ids));
    if (isStray) messages.splice(-1, 1, strayMessage(random, ids));
    const lane = await laneOf(at);
    const outcome = await lane.publish(messages, patience);
    if (outcome === "acknowledged" || (outcome === "closed" && isStray)) return;
    faults.add(
      outcome === "silent" ? "hung" : "failed",
      round,
      `seed ${seed}, MQTT round ${outcome}: ${shown(messages)}`,
    );
    lane.close();
  });
  for (const lane of open) lane.close();
};

const shown = (messages: readonly DeviceMessage[]): string =>
  messages.map(({ topic, payload }) => `${topic} ${payload.subarray(0, 200)}`).join("\n");

/** Packets with damaged bytes, each on a separate connection. */
export const fuzzPackets = ({ server, master, ids, faults, seed }: Fleet, count: number): Promise<void> =>
  inLanes(24, count, async (number) => {
    const bytes = rawBytes(createRandom(seed, number), { token: master.accessToken, ids });
    if (!(await sendRaw(server.mqttPort, bytes))) faults.add("failed", number, "a connection was not taken");
  });

const kindFor = (random: Random, topic: string): "telemetry" | "attributes" =>
  topic.endsWith("attributes") || random.chance(0.1) ? "attributes" : "telemetry";

const types = ["application/json", "application/json; charset=utf-16", "text/plain", "multipart/form-data", ""];

/** As a device sends: again when the server answers 503 (busy: the commit took too long), until `patience` is over. */
const askUntilTaken = async (server: RunningServer, request: HttpRequest, patience: number): Promise<HttpAnswer> => {
  const begun = performance.now();
  while (true) {
    const answer = await ask(server.baseURL, request, patience);
    if (answer.status !== 503 || performance.now() - begun >= patience) return answer;
    await sleep(100);
  }
};

/** Bodies of the HTTP device API, some with a damaged token. */
export const fuzzBodies = ({ server, master, ids, faults, seed, patience }: Fleet, count: number): Promise<void> =>
  inLanes(16, count, async (number) => {
    const random = createRandom(seed, number);
    const { topic, payload } = deviceMessage(random, ids);
    const token = random.chance(0.95)
      ? master.accessToken
      : encodeURIComponent(damaged(random, Buffer.from(master.accessToken)).toString("latin1"));
    const path = httpPath(token, kindFor(random, topic));
    const type = random.pick(types);
    const headers: Record<string, string> = type ? { "content-type": type } : {};
    const { status, waited } = await askUntilTaken(server, { method: "POST", path, headers, body: payload }, patience);
    if (status >= 500) faults.add("failed", number, `${status} to ${path} ${payload.subarray(0, 300)}`);
    if (status === 0 && waited >= patience) faults.add("hung", number, `${path} ${payload.subarray(0, 300)}`);
  });
