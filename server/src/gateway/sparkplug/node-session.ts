import { metricValue, type WireMetric, type WirePayload } from "./payload.ts";

/** What a message is about. Host applications' STATE messages are not for us. */
export const messageTypes = ["NBIRTH", "NDEATH", "NDATA", "DBIRTH", "DDEATH", "DDATA"] as const;
export type MessageType = (typeof messageTypes)[number];

/** A metric of a birth. */
export interface Declared {
  name: string;
  alias: number | undefined;
  datatype: number | undefined;
}

/** What an edge node has declared: its births, the aliases in them, and the number that the next message must carry. */
export interface NodeSession {
  isBorn: boolean;
  /** Ties a death to its birth, so that the death of an earlier connection does not end this one. */
  bdSeq: number | undefined;
  nextSeq: number;
  /** Declared metrics by alias and by name; the node itself is the device "". */
  births: ReadonlyMap<string, { byAlias: ReadonlyMap<number, Declared>; byName: ReadonlyMap<string, Declared> }>;
}

export const unborn: NodeSession = { isBorn: false, bdSeq: undefined, nextSeq: 0, births: new Map() };

/** A metric with its name and value found. `ts` is epoch milliseconds, undefined when the message carries no time. */
export interface NamedValue {
  name: string;
  value: number | boolean | string;
  ts: number | undefined;
}

export interface Heard {
  session: NodeSession;
  values: NamedValue[];
  /** The node must send its births again: a message was lost, or an alias is not known. */
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

const birthOf = (metrics: readonly WireMetric[]) => {
  const declared = metrics.flatMap(({ name, alias, datatype }) =>
    name === undefined ? [] : [{ name, alias, datatype }],
  );
  return {
    byName: new Map(declared.map((metric) => [metric.name, metric])),
    byAlias: new Map(
      declared.flatMap((metric) => (metric.alias === undefined ? [] : [[metric.alias, metric] as const])),
    ),
  };
};

/** Finds names and values; `isComplete` is false when an alias was not declared. */
const named = (
  session: NodeSession,
  device: string,
  payload: WirePayload,
): { values: NamedValue[]; isComplete: boolean } => {
  const birth = session.births.get(device);
  let isComplete = true;
  const values = payload.metrics.flatMap((metric): NamedValue[] => {
    const declared =
      metric.name === undefined ? birth?.byAlias.get(metric.alias ?? -1) : birth?.byName.get(metric.name);
    const name = metric.name ?? declared?.name;
    if (name === undefined) isComplete = false;
    const value = metricValue(metric, metric.datatype ?? declared?.datatype);
    if (name === undefined || value === undefined || value === null) return [];
    return [{ name, value, ts: metric.timestamp ?? payload.timestamp }];
  });
  return { values, isComplete };
};

const nodeBirth = (payload: WirePayload): NodeSession => ({
  isBorn: true,
  bdSeq: bdSeqOf(payload),
  nextSeq: ((payload.seq ?? 0) + 1) % 256,
  births: new Map([[node, birthOf(payload.metrics)]]),
});

/** A message in the node's sequence. After a gap it goes on from the number it got, and asks for the births once more. */
const inSequence = (session: NodeSession, type: MessageType, device: string, payload: WirePayload): Heard => {
  const seq = payload.seq ?? session.nextSeq;
  const births = new Map(session.births);
  if (type === "DBIRTH") births.set(device, birthOf(payload.metrics));
  if (type === "DDEATH") births.delete(device);
  const next: NodeSession = { ...session, nextSeq: (seq + 1) % 256, births };
  const { values, isComplete } = named(next, device, payload);
  const isKnown = session.isBorn && (type === "DDEATH" || births.has(device));
  return {
    session: next,
    values,
    needsRebirth: !(isKnown && isComplete && seq === session.nextSeq),
    died: type === "DDEATH",
  };
};

/** How many metrics the node and its devices have declared. */
export const declaredIn = ({ births }: NodeSession): number =>
  births.values().reduce((sum, { byName, byAlias }) => sum + Math.max(byName.size, byAlias.size), 0);

/** The session without what a device of the node has declared. */
export const withoutBirth = (session: NodeSession, device: string): NodeSession => {
  const births = new Map(session.births);
  births.delete(device);
  return { ...session, births };
};

/**
 * What a Sparkplug message means, given what its edge node declared before. Pure.
 * Sequence numbers run 0..255 over all messages of a node; a gap or an unknown alias asks for a rebirth. (Sparkplug 3.0 §5, §6)
 */
export const hear = (session: NodeSession, type: MessageType, device: string, payload: WirePayload): Heard => {
  if (type === "NBIRTH") {
    const born = nodeBirth(payload);
    return { session: born, values: named(born, node, payload).values, needsRebirth: false, died: false };
  }
  if (type === "NDEATH") {
    const bdSeq = bdSeqOf(payload);
    const isStale = session.isBorn && bdSeq !== undefined && session.bdSeq !== undefined && bdSeq !== session.bdSeq;
    return { session: isStale ? session : unborn, values: [], needsRebirth: false, died: !isStale };
  }
  return inSequence(session, type, device, payload);
};
