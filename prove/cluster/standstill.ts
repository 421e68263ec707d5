import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { connectAsync } from "mqtt";
import type { RunningServer } from "../../e2e/server-process.ts";
import { sparkplugPayload } from "../../e2e/sparkplug.ts";
import { addUnit, type Unit } from "../../e2e/unit.ts";
import { inDatabaseAt } from "../database.ts";
import type { Finding } from "../finding.ts";
import { type Fleet, owner } from "../fleet.ts";
import type { Cluster } from "./nodes.ts";

/** Longer than the offline reporting time of the fleet, a minute, and than a node that is not heard is waited for; seconds. */
const duration = 70;
/** Longer than the node that stood still needs to reach its database again and to judge the deaths that it finds, milliseconds. */
const afterwards = 60_000;
/** Longer than a node needs to write which devices it has heard, milliseconds. */
const written = 8_000;

const offline = `
  SELECT (SELECT count(*)::int FROM alerts WHERE msg LIKE 'Offline%') AS entries,
         (SELECT count(*)::int FROM devices WHERE device_sn_id = ANY($1) AND NOT is_online) AS devices`;
const setOfflineReport = "UPDATE devices SET offline_report = $2 WHERE device_sn_id = ANY($1)";
const nodeOf = `
  SELECT n.name FROM devices JOIN device_nodes USING (device_id) JOIN nodes n USING (node_id) WHERE device_sn_id = $1`;

/** A Sparkplug node that reports when it is told to, and is born again on each new connection. */
const startEdge = async (mqttPort: number, { accessToken }: Unit) => {
  let session = 0;
  let seq = 0;
  const topic = (type: string) => `spBv1.0/prove/${type}/edge`;
  const bdSeq = () => ({ name: "bdSeq", value: session });
  const will = () => ({
    topic: topic("NDEATH"),
    payload: sparkplugPayload(0, [bdSeq()]),
    qos: 1 as const,
    retain: false,
  });
  const options = { username: accessToken, clientId: "edge", keepalive: 10, reconnectPeriod: 500 };
  const client = await connectAsync(`mqtt://127.0.0.1:${mqttPort}`, { ...options, will: will() });
  client.on("error", () => undefined); // refused for a moment; the client retries by itself
  const beBorn = () => {
    seq = 0;
    client.publish(topic("NBIRTH"), sparkplugPayload(seq, [bdSeq(), { name: "AI1", value: 10 }]), { qos: 0 });
  };
  beBorn();
  client.on("reconnect", () => {
    session += 1;
    client.options.will = will();
  });
  client.on("connect", beBorn);
  return {
    report: () => {
      seq = (seq + 1) % 256;
      return client.publishAsync(topic("NDATA"), sparkplugPayload(seq, [{ name: "AI1", value: 11 }]), { qos: 1 });
    },
    end: () => client.endAsync(),
  };
};

/** Lets a node stand still right after this returns, and go on after `duration`. */
const suspend = async (node: RunningServer): Promise<void> => {
  process.kill(node.pid(), "SIGSTOP");
  try {
    await sleep(duration * 1000);
  } finally {
    process.kill(node.pid(), "SIGCONT");
  }
};

/**
 * A node stands still for longer than any timeout, right after it has heard a Sparkplug device that reports seldom, and goes on: its devices are elsewhere
 * by then, and none of them was offline.
 */
export const standStill = async ({ nodes, balancer, databaseUrl }: Cluster, fleet: Fleet): Promise<Finding> => {
  const [first] = nodes;
  if (!first) throw new Error("There is no node");
  const unit = await addUnit(first, { owner: owner.email, name: "Seldom" });
  const edge = await startEdge(balancer.endpoints.mqttPort, unit);
  const reporting = fleet.members.map((member) => member.unit.deviceSnId);
  const ask = <Row extends object>(query: string, parameters: unknown[]) =>
    inDatabaseAt(databaseUrl, async (database) => (await database.query<Row>(query, parameters)).rows);
  const look = async () => {
    const [row] = await ask<{ entries: number; devices: number }>(offline, [[...reporting, unit.deviceSnId]]);
    return row ?? { entries: Number.NaN, devices: Number.NaN };
  };
  await ask(setOfflineReport, [reporting, 1]);
  await sleep(written);
  const [holder] = await ask<{ name: string }>(nodeOf, [unit.deviceSnId]);
  const node = nodes.find((each) => holder?.name === `process ${each.pid()} on ${hostname()}`);
  if (!node) throw new Error(`No node has the Sparkplug device: ${holder?.name}`);
  const before = await look();
  await edge.report();
  await suspend(node);
  await sleep(afterwards);
  await fleet.eachHas(10);
  const after = await look();
  await ask(setOfflineReport, [reporting, 30]);
  await edge.end();
  return {
    promise: `A node that stands still for ${duration} s makes no device offline, whether it reports all the time or seldom`,
    counted: `${after.entries - before.entries} entries, ${after.devices} devices shown as offline`,
    isKept: after.entries === before.entries && after.devices === 0,
  };
};
