import { ReadingStatus } from "@telltale/contract/domains/channels";
import { alertEvent } from "../../notify/index.ts";
import { type Block, eachRun, type Newest, type Run } from "../../readings/index.ts";
import { DataType, decodePayload, encodePayload, type WireMetric } from "../../sparkplug/payload.ts";
import type { BridgedChannel, BridgedDevice } from "../devices.ts";
import { type BridgedDevices, type Format, type Message, topicLevel } from "./format.ts";

/** Most metrics of one DDATA. */
const mostMetrics = 200;
/** Limits of a command, which has one metric. */
const commandLimits = { bytes: 65_536, metrics: 100 };
const rebirth = "Node Control/Rebirth";
/** Of the metric that carries alerts: above all ids of channels, which are the other aliases. */
const alertAlias = 2 ** 31;

const typeOf = ({ isSwitch }: BridgedChannel): number => (isSwitch ? DataType.boolean : DataType.double);

interface Reading {
  ts: number;
  value: number;
  status: number;
}

const valueIn = (channel: BridgedChannel, { value, status }: Reading): Partial<WireMetric> => {
  if (status === ReadingStatus.noData) return { isNull: true };
  return channel.isSwitch ? { booleanValue: value > 0 } : { doubleValue: value };
};

/** What a host is told of a metric once, in the birth of its device. */
const propertiesOf = ({ name, unit }: BridgedChannel): NonNullable<WireMetric["properties"]> => ({
  keys: ["Name", "engUnit"],
  values: [name, unit].map((text) => ({ type: DataType.string, stringValue: text })),
});

/** What a birth tells of a device: another birth follows when it changes. */
const definitionOf = ({ channels }: BridgedDevice): string => JSON.stringify([...channels.values()]);

interface Needs {
  group: string;
  edge: string;
  /** Number of the connection, which births and the death of it have in common. */
  bdSeq: number;
  sendsValues: boolean;
  sendsAlerts: boolean;
  publicUrl: string;
  /** Epoch milliseconds. */
  now: () => number;
  newestOf: (channelIds: readonly number[]) => Promise<ReadonlyMap<number, Newest>>;
}

/** Births, deaths and the numbering of messages of one connection. */
const createSession = (needs: Needs) => {
  const { group, edge, bdSeq, sendsValues, sendsAlerts, now, newestOf } = needs;
  /** The devices as their births told of them. */
  const born = new Map<number, BridgedDevice>();
  /** By channel, the time of the newest value published: older ones are history. */
  const newest = new Map<number, number>();
  let seq = 0;
  const node = `spBv1.0/${group}`;
  const message = (kind: string, metrics: WireMetric[], device?: BridgedDevice): Message => {
    const place = `${node}/${kind}/${edge}${device ? `/${topicLevel(device.deviceSnId)}` : ""}`;
    if (kind === "NBIRTH") seq = 0;
    const payload = encodePayload({ timestamp: now(), metrics, seq });
    seq = (seq + 1) % 256;
    return { topic: place, payload, count: kind === "DDATA" ? metrics.length : 0 };
  };
  const bdSeqMetric = (): WireMetric => ({
    name: "bdSeq",
    timestamp: now(),
    datatype: DataType.int64,
    longValue: bdSeq,
  });
  const metricsOf = async ({ channels }: BridgedDevice): Promise<WireMetric[]> => {
    const values = sendsValues ? [...channels.values()] : [];
    const present = await newestOf(values.map(({ channelId }) => channelId));
    const metrics = values.map((channel): WireMetric => {
      const { channelId: alias, code: name } = channel;
      const reading = present.get(alias);
      newest.set(alias, reading?.ts ?? Number.NEGATIVE_INFINITY);
      const told = { name, alias, datatype: typeOf(channel), properties: propertiesOf(channel) };
      return { ...told, ...(reading ? { timestamp: reading.ts, ...valueIn(channel, reading) } : { isNull: true }) };
    });
    const alerts = { name: "alerts", alias: alertAlias, datatype: DataType.string, isNull: true };
    return sendsAlerts ? [...metrics, alerts] : metrics;
  };
  const birth = async (device: BridgedDevice): Promise<Message> => {
    const metrics = await metricsOf(device);
    born.set(device.deviceId, device);
    return message("DBIRTH", metrics, device);
  };
  return {
    born,
    newest,
    message,
    birth,
    /** The birth of a device that data is about to be published of, unless it is born. */
    birthBefore: async (device: BridgedDevice): Promise<Message[]> =>
      born.has(device.deviceId) ? [] : [await birth(device)],
    nodeBirth: (): Message => {
      born.clear();
      return message("NBIRTH", [
        bdSeqMetric(),
        { name: rebirth, timestamp: now(), datatype: DataType.boolean, booleanValue: false },
      ]);
    },
    death: (): Message => ({
      topic: `${node}/NDEATH/${edge}`,
      payload: encodePayload({ timestamp: now(), metrics: [bdSeqMetric()] }),
      count: 0,
    }),
    commandTopic: `${node}/NCMD/${edge}`,
  };
};

type Session = ReturnType<typeof createSession>;

const metricsOfRun = ({ newest }: Session, channel: BridgedChannel, run: Run): WireMetric[] => {
  const metrics: WireMetric[] = [];
  for (let at = 0; at < run.times.length; at++) {
    const ts = run.times[at] ?? 0;
    const reading = { ts, value: run.values[at] ?? 0, status: run.statuses[at] ?? ReadingStatus.noData };
    const isHistorical = ts < (newest.get(channel.channelId) ?? Number.NEGATIVE_INFINITY);
    if (!isHistorical) newest.set(channel.channelId, ts);
    const metric = { alias: channel.channelId, timestamp: ts, datatype: typeOf(channel), ...valueIn(channel, reading) };
    metrics.push(isHistorical ? { ...metric, isHistorical } : metric);
  }
  return metrics;
};

/** Data of a device in messages of so many metrics. */
const dataOf = (session: Session, device: BridgedDevice, metrics: readonly WireMetric[]): Message[] => {
  const messages: Message[] = [];
  for (let at = 0; at < metrics.length; at += mostMetrics)
    messages.push(session.message("DDATA", metrics.slice(at, at + mostMetrics), device));
  return messages;
};

const messagesOfBlock = async (session: Session, block: Block, devices: BridgedDevices): Promise<Message[]> => {
  const runs: { deviceId: number; channelId: number; run: Run }[] = [];
  eachRun(block, (channelId, run) => runs.push({ deviceId: block.deviceIds[runs.length] ?? 0, channelId, run }));
  const messages: Message[] = [];
  for (const [deviceId, ofDevice] of Map.groupBy(runs, (run) => run.deviceId)) {
    const device = devices.get(deviceId);
    if (!device) continue;
    messages.push(...(await session.birthBefore(device)));
    const metrics = ofDevice.flatMap(({ channelId, run }) => {
      const channel = device.channels.get(channelId);
      return channel ? metricsOfRun(session, channel, run) : [];
    });
    messages.push(...dataOf(session, device, metrics));
  }
  return messages;
};

const changesOf = async (session: Session, devices: BridgedDevices): Promise<Message[]> => {
  const { born, message, birth } = session;
  const messages: Message[] = [];
  for (const [deviceId, told] of born) {
    if (devices.get(deviceId)?.isOnline) continue;
    born.delete(deviceId);
    messages.push(message("DDEATH", [], told));
  }
  for (const device of devices.values()) {
    const told = born.get(device.deviceId);
    const isKnown = told !== undefined && definitionOf(told) === definitionOf(device);
    if (device.isOnline && !isKnown) messages.push(await birth(device));
  }
  return messages;
};

/**
 * Sparkplug B as an edge node whose devices are the plant's. A metric is named by the channel's code; its alias is the channel's id. Values older than one
 * that was published before, or told by the birth, are marked as history.
 */
export const sparkplugFormat = (needs: Needs): Format => {
  const session = createSession(needs);
  return {
    farewell: session.death(),
    commandTopic: session.commandTopic,
    isRebirth: (payload) => {
      const command = decodePayload(payload, commandLimits);
      return (
        typeof command === "object" &&
        command.metrics.some(({ name, booleanValue }) => name === rebirth && booleanValue)
      );
    },
    births: async (devices) => [session.nodeBirth(), ...(await changesOf(session, devices))],
    changes: (devices) => changesOf(session, devices),
    readings: (block, devices) => messagesOfBlock(session, block, devices),
    alert: async (facts, time, devices) => {
      const device = devices.values().find(({ deviceSnId }) => deviceSnId === facts.deviceSnId);
      if (!device) return [];
      const stringValue = JSON.stringify(alertEvent(facts, time, needs.publicUrl));
      const metric = { alias: alertAlias, timestamp: time.getTime(), datatype: DataType.string, stringValue };
      return [...(await session.birthBefore(device)), ...dataOf(session, device, [metric])];
    },
  };
};
