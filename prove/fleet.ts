import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@telltale/contract/call/client";
import { clientOf } from "../e2e/people.ts";
import type { ReachableServer } from "../e2e/server-process.ts";
import { addUnit, idsOf, type Unit } from "../e2e/unit.ts";
import { type NumberedDevice, postedAtOnce, startHttpDevice, startMqttDevice } from "./numbered-device.ts";
import { isOccurrence, type Numbers, timedMessage, untimedMessage } from "./numbers.ts";

/** The account that owns all devices of a trial. */
export const owner = { email: "keeper@example.com", secret: "as long as it lasts" };

/** One device of the load, and what is needed to verify its data at the end. */
export interface Member {
  unit: Unit;
  /** Channel ids by code. */
  channels: Record<string, number>;
  /** Undefined for a device whose messages carry no time. */
  numbers?: Numbers;
  device: NumberedDevice;
}

/** A load with every kind of delivery and numbered messages. */
export interface Fleet {
  members: readonly Member[];
  /** Acknowledged messages of all devices. */
  acknowledged(): number;
  /** Resolves when each device has this many more acknowledgements; rejects after `longest` milliseconds. */
  eachHas(more: number, longest?: number): Promise<void>;
  /** Starts no more messages; resolves when everything sent is acknowledged. */
  finish(): Promise<void>;
}

/** Kinds of devices: three over MQTT, one over MQTT without times, one over HTTP. */
const kinds = ["MQTT 1", "MQTT 2", "MQTT 3", "MQTT without times", "HTTP"] as const;

const codes = ["AI1", "AI2", "AI3", "AI4"];

/** Where the devices reach the server: directly, or through a proxy. */
export interface Endpoints extends Pick<ReachableServer, "baseURL" | "mqttPort"> {
  /** Messages that the HTTP device posts at once; more than one are stored in any order when they reach different nodes. */
  postedAtOnce?: number;
}

const startMember = async (
  server: ReachableServer,
  endpoints: Endpoints,
  client: Client,
  name: string,
): Promise<Member> => {
  const unit = await addUnit(server, { owner: owner.email, name });
  const { channels } = await idsOf(client, unit.deviceSnId);
  if (name.endsWith("without times"))
    return { unit, channels, device: await startMqttDevice(endpoints, unit, untimedMessage, 20) };
  const numbers: Numbers = { since: Date.now(), codes, occurrenceEvery: 200 };
  const messageAt = (n: number) => timedMessage(numbers, n);
  const device =
    name === "HTTP"
      ? startHttpDevice([endpoints.baseURL], unit, messageAt, {
          inFlight: endpoints.postedAtOnce ?? postedAtOnce,
          // Otherwise no alert can be expected of it.
          comesFirst: (n) => isOccurrence(numbers, n),
        })
      : await startMqttDevice(endpoints, unit, messageAt);
  return { unit, channels, numbers, device };
};

/** Creates the owner of the devices and signs in. */
export const createOwner = async (server: ReachableServer): Promise<Client> => {
  await server.telltale("users", "add", "--email", owner.email, "--password", owner.secret, "--owner");
  return clientOf(server, owner.email, owner.secret);
};

const untilEach = async (members: readonly Member[], more: number, longest: number): Promise<void> => {
  const counts = members.map(({ unit, device }) => ({ name: unit.name, device, before: device.acknowledged() }));
  const lacking = () => counts.filter(({ device, before }) => device.acknowledged() < before + more);
  for (const patience = AbortSignal.timeout(longest); lacking().length > 0; await sleep(5)) {
    if (!patience.aborted) continue;
    const state = lacking().map(
      ({ name, device, before }) =>
        `${name} had ${device.acknowledged() - before}, and ${device.sent() - device.acknowledged()} under way`,
    );
    throw new Error(`Not every device had ${more} more acknowledgements in ${longest / 1000} s: ${state.join("; ")}`);
  }
};

/** Starts the load. Its devices reach the server by `endpoints`. */
export const startFleet = async (
  server: ReachableServer,
  client: Client,
  more: readonly Member[] = [],
  endpoints: Endpoints = server,
): Promise<Fleet> => {
  const members = [...more];
  for (const name of kinds) members.push(await startMember(server, endpoints, client, name));
  return {
    members,
    acknowledged: () => members.reduce((sum, { device }) => sum + device.acknowledged(), 0),
    eachHas: (count, longest = 60_000) => untilEach(members, count, longest),
    finish: async () => {
      await Promise.all(members.map(({ device }) => device.finish()));
    },
  };
};
