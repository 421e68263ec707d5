import { createHash, randomBytes } from "node:crypto";
import { type FirmwareFacts, type FirmwareOffer, FirmwareState, topics } from "@telltale/contract/device-api";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createSimulation } from "../simulation.ts";
import { startTestBroker, type TestBroker } from "../test-broker.ts";
import { aFleet } from "../test-fleet.ts";
import { type Connection, createConnection } from "./connection.ts";
import type { Device } from "./device.ts";
import { chunkSize } from "./firmware.ts";
import { FirmwareFault } from "./firmware-fault.ts";

let broker: TestBroker;
let connection: Connection;
let image: Buffer;
let offer: FirmwareOffer;
let own: Device;
let sub: Device;

const soon = { timeout: 15_000, interval: 20 };
const chunks = 6;

beforeEach(async () => {
  broker = await startTestBroker();
  const [main, ...subDevices] = createSimulation(aFleet(), { seed: 1, from: Date.UTC(2026, 2, 1) }).devices;
  if (!main || !subDevices[0]) throw new Error("The fleet is too small");
  [own, sub] = [main, subDevices[0]];
  const bounds = { inFlight: 4, memory: 10_000 };
  const station = () => createSimulation(aFleet(), { seed: 1, from: 0 }).station();
  connection = createConnection({ url: broker.url, own, subDevices, station, bounds, report: () => undefined });
  image = randomBytes(chunkSize * (chunks - 1) + 100);
  const fw_checksum = createHash("sha256").update(image).digest("hex");
  const fw_size = image.length;
  offer = { fw_title: "MIX-1", fw_version: "2.5.0", fw_size, fw_checksum_algorithm: "SHA256", fw_checksum };
  broker.image = image;
  await vi.waitUntil(() => connection.link.isConnected(), soon);
});
afterEach(async () => {
  await connection.stop();
  await broker.close();
});

const ownFacts = () => (broker.on(topics.attributes) as FirmwareFacts[]).filter(({ fw_state }) => fw_state);
const subFacts = () =>
  (broker.on(topics.gateway.attributes) as Record<string, FirmwareFacts>[])
    .flatMap((content) => content[sub.spec.deviceSnId] ?? [])
    .filter(({ fw_state }) => fw_state);
const states = (facts: FirmwareFacts[]) => facts.map(({ fw_state }) => fw_state);
const requested = () => broker.received.filter(({ topic }) => topic.startsWith(topics.firmware.request));
const chunkNumbers = () => requested().map(({ topic }) => Number(topic.split("/").at(-1)));

describe("a simulated device with a firmware offer", { timeout: 40_000 }, () => {
  test("downloads it in chunks, verifies it, restarts and reports the running version", async () => {
    broker.send(topics.attributes, offer);
    await vi.waitUntil(() => broker.users.length === 2, soon);
    expect(chunkNumbers()).toEqual([0, 1, 2, 3, 4, 5]);
    const { downloading, downloaded, verified, updating } = FirmwareState;
    expect(states(ownFacts())).toEqual([downloading, downloaded, verified, updating]);
    expect(ownFacts().map(({ current_fw_version }) => current_fw_version)).toEqual(Array(4).fill("2.4.1"));
    await vi.waitUntil(
      () =>
        broker
          .on(topics.attributes)
          .some((content) => (content as { firmwareVersion?: string }).firmwareVersion === "2.5.0"),
      soon,
    );
  });

  test("resumes after a lost connection", async () => {
    own.firmwareFault = FirmwareFault.interruption;
    broker.send(topics.attributes, offer);
    await vi.waitUntil(() => broker.users.length === 2, soon);
    const before = chunkNumbers();
    expect(before.length).toBeLessThan(chunks);
    broker.send(topics.attributes, offer);
    await vi.waitUntil(() => own.firmwareVersion === "2.5.0", soon);
    expect([...new Set(chunkNumbers())]).toEqual([0, 1, 2, 3, 4, 5]);
    expect(chunkNumbers().filter((chunk) => chunk === 0)).toHaveLength(1);
  });

  test("does not install a damaged image, and reports its digest", async () => {
    own.firmwareFault = FirmwareFault.corruption;
    broker.send(topics.attributes, offer);
    await vi.waitUntil(() => states(ownFacts()).includes(FirmwareState.failed), soon);
    expect(ownFacts().at(-1)).toMatchObject({ current_fw_version: "2.4.1", fw_error: "The image is damaged" });
    expect(ownFacts().at(-1)?.fw_checksum).not.toBe(offer.fw_checksum);
    expect(own.firmwareVersion).toBe("2.4.1");
  });

  test("rolls back when the new image does not start", async () => {
    own.firmwareFault = FirmwareFault.noStart;
    broker.send(topics.attributes, offer);
    await vi.waitUntil(() => broker.users.length === 2, soon);
    broker.send(topics.attributes, offer);
    await vi.waitUntil(() => states(ownFacts()).includes(FirmwareState.failed), soon);
    expect(ownFacts().at(-1)).toMatchObject({ current_fw_version: "2.4.1", fw_error: "2.5.0 did not start" });
  });

  test("aborts when the offer is withdrawn", async () => {
    broker.send(topics.attributes, offer);
    await vi.waitUntil(() => requested().length > 1, soon);
    broker.send(topics.attributes, { deleted: ["fw_title", "fw_version"] });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(requested().length).toBeLessThan(chunks);
    expect(own.firmwareVersion).toBe("2.4.1");
  });

  test("as a sub-device, downloads through its master", async () => {
    broker.send(topics.gateway.attributes, { device: sub.spec.deviceSnId, data: offer });
    await vi.waitUntil(() => sub.firmwareVersion === "2.5.0", soon);
    expect(JSON.parse(requested()[0]?.payload ?? "")).toEqual({ device: sub.spec.deviceSnId, size: chunkSize });
    expect(states(subFacts())).toEqual(["DOWNLOADING", "DOWNLOADED", "VERIFIED", "UPDATING"]);
    await vi.waitUntil(() => broker.on(topics.gateway.disconnect).length === 1, soon);
    expect(own.firmwareVersion).toBe("2.4.1");
  });
});
