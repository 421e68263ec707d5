import { metricValue, type WireMetric, type WirePayload } from "../../sparkplug/payload.ts";

/** Handled message types. Host applications' STATE messages are ignored. */
export const messageTypes = ["NBIRTH", "NDEATH", "NDATA", "DBIRTH", "DDEATH", "DDATA"] as const;
export type MessageType = (typeof messageTypes)[number];

/** A metric declared in a birth. */
interface Declared {
  name: string;
  alias: number | undefined;
  datatype: number | undefined;
}

/** State of an edge node's session: its births with their aliases, and the next expected sequence number. */
export interface NodeSession {
  isBorn: boolean;
  /** Links a death to its birth, so that the death of an earlier connection does not end this session. */
  bdSeq: number | undefined;
  nextSeq: number;
  /** By device; "" is the node itself. */
  births: ReadonlyMap<string, Birth>;
}

/** The metrics declared by one birth certificate. */
export interface Birth {
  byAlias: ReadonlyMap<number, Declared>;
  byName: ReadonlyMap<string, Declared>;
  /** The levels of the metrics whose last report was 0 or 1; the transport keeps them, to know the outputs that are as they are driven. */
  levels: Map<string, number>;
  /** Characters of all names. */
  text: number;
}

export const initialSession: NodeSession = { isBorn: false, bdSeq: undefined, nextSeq: 0, births: new Map() };

/** A metric with resolved name and value. `ts` is epoch milliseconds, undefined when the message carries no time. */
export interface NamedValue {
  name: string;
  value: number | boolean | string;
  ts: number | undefined;
  /** From before: not what the metric is now. */
  isHistorical: boolean;
}

/** A metric whose value cannot be read. */
export interface UnreadMetric {
  /** Its name; undefined when it has only an alias that no birth has declared. */
  name: string | undefined;
  alias: number | undefined;
}

export interface AppliedMessage {
  session: NodeSession;
  values: NamedValue[];
  unread: UnreadMetric[];
  /** The node must send its births again: a message was lost, or an alias is unknown. */
  needsRebirth: boolean;
  /** The node ("") or one of its devices has gone. */
  died: boolean;
}

const node = "";

const bdSeqOf = (payload: WirePayload): number | undefined => {
  const metric = payload.metrics.find(({ name }) => name === "bdSeq");
  const value = metric && metricValue(metric, metric.datatype);
  return typeof value === "number" ? value : undefined;
};

const birthOf = (metrics: readonly WireMetric[]): Birth => {
  const declared = metrics.flatMap(({ name, alias, datatype }) =>
    name === undefined ? [] : [{ name, alias, datatype }],
  );
  return {
    text: declared.reduce((sum, { name }) => sum + name.length, 0),
    byName: new Map(declared.map((metric) => [metric.name, metric])),
    levels: new Map(),
    byAlias: new Map(
      declared.flatMap((metric) => (metric.alias === undefined ? [] : [[metric.alias, metric] as const])),
    ),
  };
};

/**
 * A metric's value; undefined when it cannot be read, like an integer of unknown type: it has no sign, and -5 would be 4,294,967,291. Nodes send the
 * type in births only.
 */
const readValue = (metric: WireMetric, declared: Declared | undefined): ReturnType<typeof metricValue> => {
  // 0 is Sparkplug's "unknown".
  const datatype = metric.datatype || declared?.datatype;
  return metric.intValue !== undefined && !metric.isNull && !datatype ? undefined : metricValue(metric, datatype);
};

/** Resolves names and values. A metric that is null has none: nothing of it is unread. */
const named = (
  session: NodeSession,
  device: string,
  payload: WirePayload,
): Pick<AppliedMessage, "values" | "unread"> => {
  const birth = session.births.get(device);
  const unread: UnreadMetric[] = [];
  const values = payload.metrics.flatMap((metric): NamedValue[] => {
    const { alias } = metric;
    const declared = metric.name === undefined ? birth?.byAlias.get(alias ?? -1) : birth?.byName.get(metric.name);
    const name = metric.name ?? declared?.name;
    const value = readValue(metric, declared);
    if (name === undefined || value === undefined) unread.push({ name, alias });
    if (name === undefined || value === undefined || value === null) return [];
    const { timestamp: ts = payload.timestamp, isHistorical = false } = metric;
    return [{ name, value, ts, isHistorical }];
  });
  return { values, unread };
};

const without = (births: NodeSession["births"], device: string): NodeSession["births"] => {
  if (!births.has(device)) return births;
  const left = new Map(births);
  left.delete(device);
  return left;
};

const nodeBirth = (payload: WirePayload): NodeSession => ({
  isBorn: true,
  bdSeq: bdSeqOf(payload),
  nextSeq: ((payload.seq ?? 0) + 1) % 256,
  births: new Map([[node, birthOf(payload.metrics)]]),
});

/** The births after a message, as before except after a device's birth or death: a node may have thousands of devices. */
const birthsAfter = (
  { births }: NodeSession,
  type: MessageType,
  device: string,
  { metrics }: WirePayload,
): NodeSession["births"] => {
  if (type === "DBIRTH") return new Map(births).set(device, birthOf(metrics));
  return type === "DDEATH" ? without(births, device) : births;
};

/** Applies a message of the node's sequence. After a gap it continues from the received number and requests a rebirth. */
const inSequence = (session: NodeSession, type: MessageType, device: string, payload: WirePayload): AppliedMessage => {
  const seq = payload.seq ?? session.nextSeq;
  const births = birthsAfter(session, type, device, payload);
  const next: NodeSession = { ...session, nextSeq: (seq + 1) % 256, births };
  const { values, unread } = named(next, device, payload);
  const isComplete = unread.every(({ name }) => name !== undefined);
  const isKnown = session.isBorn && (type === "DDEATH" || births.has(device));
  return {
    session: next,
    values,
    unread,
    needsRebirth: !(isKnown && isComplete && seq === session.nextSeq),
    died: type === "DDEATH",
  };
};

/** Number of metrics declared by the node and its devices. */
export const declaredCount = ({ births }: NodeSession): number =>
  births.values().reduce((sum, { byName, byAlias }) => sum + Math.max(byName.size, byAlias.size), 0);

/** Number of characters of the names declared by the node and its devices. */
export const declaredText = ({ births }: NodeSession): number =>
  births.values().reduce((sum, { text }) => sum + text, 0);

/** The session without the birth of one device. */
export const withoutBirth = (session: NodeSession, device: string): NodeSession => ({
  ...session,
  births: without(session.births, device),
});

/**
 * Applies a Sparkplug message to its edge node's session and returns new session and values. Pure. Sequence numbers run 0..255 over all messages of a
 * node; a gap or an unknown alias requests a rebirth. (Sparkplug 3.0 §5, §6)
 */
export const applyMessage = (
  session: NodeSession,
  type: MessageType,
  device: string,
  payload: WirePayload,
): AppliedMessage => {
  if (type === "NBIRTH") {
    const born = nodeBirth(payload);
    return { session: born, ...named(born, node, payload), needsRebirth: false, died: false };
  }
  if (type === "NDEATH") {
    const bdSeq = bdSeqOf(payload);
    const isStale = session.isBorn && bdSeq !== undefined && session.bdSeq !== undefined && bdSeq !== session.bdSeq;
    return { session: isStale ? session : initialSession, values: [], unread: [], needsRebirth: false, died: !isStale };
  }
  return inSequence(session, type, device, payload);
};
