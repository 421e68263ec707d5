import { BridgeFormat } from "@telltale/contract/domains/readings/bridges";
import sparkplug from "sparkplug-payload";
import { afterAll, beforeAll, expect, test } from "vitest";
import { encodePayload } from "../sparkplug/payload.ts";
import { type BridgedPlant, createBridgedPlant, sendReading } from "../test/test-bridged-plant.ts";
import { startBroker, type TestBroker } from "../test/test-broker.ts";

/** The decoder of the Sparkplug project, which knows nothing of ours. */
const tahu = sparkplug.get("spBv1.0");

let plant: BridgedPlant;
let broker: TestBroker;
beforeAll(async () => {
  [plant, broker] = [await createBridgedPlant(), await startBroker()];
});
afterAll(async () => {
  await plant.close();
  await broker.stop();
});

const start = 1_763_700_000_000;
const patient = { timeout: 20_000 };

const received = () =>
  broker.received.map(({ topic, payload }) => {
    const [, group, kind, edge, device] = topic.split("/");
    const { metrics, seq, timestamp } = tahu?.decodePayload(payload) ?? {};
    return { group, kind, edge, device, metrics: metrics ?? [], seq: Number(seq), timestamp: Number(timestamp) };
  });
const kinds = () => received().map(({ kind }) => kind);
const numberOf = (value: unknown) => Number(String(value));

test("a host sees an edge node with births, data by alias, history, alerts, a birth on request, and its death", async () => {
  const device = await plant.device({ name: "Sump station" });
  const client = await plant.mqtt(device.accessToken);
  const sparkplugB = { format: BridgeFormat.sparkplug, prefix: "Acme", clientId: "plant-1" };
  await plant.addBridge({ url: broker.url, ...sparkplugB });
  await sendReading(client, "AI1", start, 4.25);
  plant.start();
  await expect.poll(kinds, patient).toContain("DDATA");
  const [node, birth] = received();
  expect(node).toMatchObject({ group: "Acme", kind: "NBIRTH", edge: "plant-1", seq: 0 });
  expect(node?.metrics.map(({ name, type }) => [name, type])).toEqual([
    ["bdSeq", "Int64"],
    ["Node Control/Rebirth", "Boolean"],
  ]);
  expect(birth).toMatchObject({ kind: "DBIRTH", device: device.deviceSnId, seq: 1 });
  const ai1 = birth?.metrics.find(({ name }) => name === "AI1");
  expect(ai1).toMatchObject({ type: "Double", value: 4.25, properties: { engUnit: { type: "String" } } });
  expect(numberOf(ai1?.timestamp)).toBe(start);
  expect(numberOf(ai1?.alias)).toBe(device.channels.AI1);

  const dataOf = (value: number) =>
    received()
      .filter(({ kind }) => kind === "DDATA")
      .flatMap(({ metrics }) => metrics)
      .find((metric) => metric.value === value);
  await sendReading(client, "AI1", start + 1000, 5.5);
  await sendReading(client, "AI1", start - 1000, 3.5);
  await expect.poll(() => dataOf(3.5), patient).toBeDefined();
  expect(dataOf(5.5)).toMatchObject({ type: "Double", alias: ai1?.alias });
  expect(dataOf(5.5)?.isHistorical).toBeFalsy();
  expect(dataOf(3.5)?.isHistorical).toBe(true);

  await sendReading(client, "AI1", start + 2000, 1e6);
  const alerts = () =>
    received().flatMap(({ metrics }) => metrics.filter(({ type, value }) => type === "String" && value));
  const raised = () => alerts().map(({ value }) => JSON.parse(String(value)));
  await expect
    .poll(() => raised().some(({ type, data }) => type === "alert.raised" && data.alert.channel), patient)
    .toBe(true);

  // All messages are numbered in turn.
  const numbered = received().filter(({ kind }) => kind !== "NDEATH");
  expect(numbered.map(({ seq }) => seq)).toEqual(numbered.map((_, at) => at % 256));

  const rebirth = { name: "Node Control/Rebirth", datatype: 11, booleanValue: true };
  broker.publish("spBv1.0/Acme/NCMD/plant-1", encodePayload({ timestamp: start, metrics: [rebirth] }));
  const births = () => received().filter(({ kind }) => kind === "NBIRTH" || kind === "DBIRTH");
  await expect
    .poll(() => births().map(({ kind, seq }) => [kind, seq]), patient)
    .toEqual([
      ["NBIRTH", 0],
      ["DBIRTH", 1],
      ["NBIRTH", 0],
      ["DBIRTH", 1],
    ]);

  await plant.stop();
  await expect.poll(() => kinds().at(-1), patient).toBe("NDEATH");
  const bdSeqOf = (kind: string) =>
    numberOf(
      received()
        .findLast((message) => message.kind === kind)
        ?.metrics.find(({ name }) => name === "bdSeq")?.value,
    );
  expect(bdSeqOf("NDEATH")).toBe(bdSeqOf("NBIRTH"));
  const before = bdSeqOf("NBIRTH");
  plant.start();
  await expect.poll(() => bdSeqOf("NBIRTH"), patient).toBe(before + 1);
});
