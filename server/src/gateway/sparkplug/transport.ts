import type { SharedAttributes } from "@telltale/contract/device-api";
import type { Clock } from "../../platform/clock.ts";
import { encodePayload, metricWith, type WireMetric } from "../../sparkplug/payload.ts";
import type { Commands } from "../core/pending-calls.ts";
import type { CallRequest, Target, Transport } from "../core/transport.ts";
import type { Connections } from "../mqtt/connections.ts";
import type { Edge, Edges } from "./edges.ts";
import type { Birth, NamedValue } from "./node-session.ts";

/**
 * Writes to Sparkplug devices: NCMD to an edge node, DCMD to a device behind it. Only metrics that the device has declared in its birth are written,
 * by their declared type and, if they have one, their alias.
 *
 * - `Settings/version`, `Settings/reportInterval`, `Settings/{channel}/{key}`: current settings. The device reports `Settings/version` back.
 * - an output's own metric: `setOutput`. Answered when the device reports the value; at once when its last report was that value, because a device
 *   that reports by exception says nothing when nothing changes.
 * - `Node Control/Reboot`, `Device Control/Reboot`: `restart`. Sparkplug has no answer to it: it counts as answered once sent.
 */

interface Needs {
  connections: Connections;
  edges: Edges;
  clock: Clock;
  /** `Commands.answered`. */
  answered: Commands["answered"];
}

export const namespace = "spBv1.0/";
export const settingsPrefix = "Settings/";

/** QoS of NCMD and DCMD. [tck-id-topics-ncmd-mqtt, tck-id-topics-dcmd-mqtt] */
export const commandQos = 0;

/** The last part of a metric's name, such as DO1 in `Outputs/DO1`. */
export const lastPart = (name: string): string => name.slice(name.lastIndexOf("/") + 1);

interface Found {
  edge: Edge;
  /** "" for the edge node itself. */
  name: string;
  birth: Birth;
  linkOf: number;
}

const writeKey = (device: string, metric: string): string => `${device}\n${metric}`;

const settingsMetrics = ({
  settingsVersion,
  reportInterval,
  channels,
}: SharedAttributes): Map<string, number | string> =>
  new Map([
    [`${settingsPrefix}version`, settingsVersion],
    [`${settingsPrefix}reportInterval`, reportInterval],
    ...Object.entries(channels).flatMap(([code, settings]) =>
      Object.entries(settings).flatMap(([key, value]) =>
        value === undefined ? [] : [[`${settingsPrefix}${code}/${key}`, value] as const],
      ),
    ),
  ]);

/** The target's birth on the link that reaches it; undefined before it. */
const findIn = (edges: Edges, { device, via }: Target): Found | undefined => {
  const linkOf = via ?? device.deviceId;
  const edge = edges.known(linkOf);
  const name = via === undefined ? "" : device.deviceSnId;
  const birth = edge?.session.births.get(name);
  return edge && birth && { edge, name, birth, linkOf };
};

const keepLevels = ({ byName, levels }: Birth, values: readonly NamedValue[]): void => {
  for (const { name, value } of values) {
    const level = Number(value);
    const isLevel = typeof value !== "string" && (level === 0 || level === 1);
    if (isLevel && byName.has(name)) levels.set(name, level);
    else levels.delete(name);
  }
};

export interface SparkplugTransport extends Transport {
  /** Takes present values reported by a device ("" is the node) and completes the calls that wrote them. */
  reported(linkOf: number, device: string, values: readonly NamedValue[]): void;
}

/** The declared metrics that hold settings, with the current ones as their values. */
const settingsToWrite = ({ byName }: Birth, settings: SharedAttributes): WireMetric[] => {
  const written = settingsMetrics(settings);
  return [...byName.values()].flatMap((declared) => {
    const value = written.get(declared.name);
    const metric = value === undefined ? undefined : metricWith(declared, value);
    return metric ? [metric] : [];
  });
};

export const sparkplugTransport = ({ connections, edges, clock, answered }: Needs): SparkplugTransport => {
  const write = ({ edge, name, linkOf }: Found, metrics: readonly WireMetric[]): boolean => {
    const [group, node] = edge.name.split("/");
    const topic = name === "" ? `${namespace}${group}/NCMD/${node}` : `${namespace}${group}/DCMD/${node}/${name}`;
    const payload = encodePayload({ timestamp: clock.now(), metrics: [...metrics] });
    return metrics.length > 0 && connections.send(linkOf, topic, payload, commandQos) > 0;
  };
  // Deferred: the caller registers for the answer only after the call has returned.
  const answerSoon = ({ linkOf }: Found, callId: number): void =>
    queueMicrotask(() => answered({ deviceId: linkOf }, callId, { success: true }));
  const setOutput = (found: Found, { id, params: { channel, value } }: CallRequest): boolean => {
    const declared = [...found.birth.byName.values()].find(
      ({ name }) => !name.startsWith(settingsPrefix) && (name === channel || lastPart(name) === channel),
    );
    if (!declared || typeof value !== "number") return false;
    const metric = metricWith(declared, value);
    if (!metric || !write(found, [metric])) return false;
    if (found.birth.levels.get(declared.name) === value) answerSoon(found, id);
    else found.edge.writes.set(writeKey(found.name, declared.name), { callId: id, value });
    return true;
  };
  const restart = (found: Found, { id }: CallRequest): boolean => {
    const declared = found.birth.byName.get(found.name === "" ? "Node Control/Reboot" : "Device Control/Reboot");
    const metric = declared && metricWith(declared, 1);
    if (!metric || !write(found, [metric])) return false;
    answerSoon(found, id);
    return true;
  };
  return {
    name: "sparkplug-b",
    isConnected: (deviceId) => edges.known(deviceId) !== undefined,
    sendSettings: (to, settings) => {
      const found = findIn(edges, to);
      return found !== undefined && write(found, settingsToWrite(found.birth, settings));
    },
    // Sparkplug has no firmware transfer.
    withdrawFirmware: () => false,
    call: (to, request) => {
      const found = findIn(edges, to);
      if (!found) return false;
      if (request.method === "setOutput") return setOutput(found, request);
      return request.method === "restart" && restart(found, request);
    },
    reported: (linkOf, device, values) => {
      const edge = edges.known(linkOf);
      if (!edge) return;
      const birth = edge.session.births.get(device);
      if (birth) keepLevels(birth, values);
      const { writes } = edge;
      if (writes.size === 0) return;
      for (const { name, value } of values) {
        const key = writeKey(device, name);
        const pending = writes.get(key);
        if (!pending || Number(value) !== pending.value) continue;
        writes.delete(key);
        answered({ deviceId: linkOf }, pending.callId, { success: true });
      }
    },
  };
};
