import { LiveCommand } from "@telltale/contract/live";
import type { Bus } from "../../platform/bus/bus.ts";
import { createTimeSlice } from "../../platform/time-slice.ts";
import { raiseVersions } from "../../readings/index.ts";
import type { World } from "../../world.ts";
import type { KnownDevice } from "../devices/known-device.ts";
import type { Registry } from "../devices/registry.ts";
import { adoptDrafts, dropDrafts, evaluateBatch } from "./evaluate-batch.ts";
import type { EvaluatedBatch } from "./evaluated-batch.ts";
import { type Held, storeBatch } from "./store.ts";
import type { Submission } from "./submission.ts";

/** Emits the live events of a committed batch. A device whose service has ended shows no live values. (decisions §1) */
const announceBatch = (bus: Bus, batch: EvaluatedBatch, now: number): void => {
  for (const channel of batch.newest) {
    const { plantId, serviceEnd } = channel.device;
    if (plantId === null || (serviceEnd !== null && serviceEnd <= now)) continue;
    const { value, status, ts } = channel.state;
    const message = { cmd: LiveCommand.value, deviceChannelId: channel.channelId, value, status, updateTime: ts };
    bus.emit("live", { plantId, message });
  }
  const alerted = new Set<KnownDevice>([...batch.raised, ...batch.cleared].map((alert) => alert.channel.device));
  for (const device of batch.cameOnline) alerted.add(device);
  for (const { plantId, deviceId } of alerted) {
    if (plantId !== null) bus.emit("live", { plantId, message: { cmd: LiveCommand.alertChange, deviceId } });
  }
  for (const { plantId, deviceId } of batch.cameOnline) {
    if (plantId !== null) bus.emit("live", { plantId, message: { cmd: LiveCommand.dashboardChange, deviceId } });
  }
};

export interface BatchNeeds extends Pick<World, "pool" | "bus" | "clock" | "node"> {
  registry: Registry;
}

/** Loads the devices into memory whose alarms' gates are channels of these; again those that have changed, or whose gates may have been turned elsewhere. */
const loadGated = async (
  registry: Registry,
  gating: readonly KnownDevice[],
  reloaded: ReadonlySet<KnownDevice>,
): Promise<void> => {
  const changed = new Set([...reloaded].flatMap(({ gated }) => gated));
  const stale = new Set<KnownDevice>();
  for (const deviceId of new Set(gating.flatMap(({ gated }) => gated))) {
    const known = registry.inMemory({ deviceId });
    if (!known) await registry.find({ deviceId });
    else if (!reloaded.has(known) && (known.isStale || changed.has(deviceId))) stale.add(known);
  }
  if (stale.size > 0) await registry.reload([...stale]);
};

/** The devices of messages that meet a condition, each once. */
const devicesWith = (
  submissions: readonly Submission[],
  isMeant: (device: KnownDevice) => boolean,
): Set<KnownDevice> => {
  const found = new Set<KnownDevice>();
  for (const { devices } of submissions) for (const device of devices) if (isMeant(device)) found.add(device);
  return found;
};

/** Loads the devices again that have changed, or whose last commit has an unknown outcome. */
export const reloadStale = async (registry: Registry, submissions: readonly Submission[]): Promise<void> => {
  const stale = devicesWith(submissions, ({ isStale }) => isStale);
  if (stale.size > 0) await registry.reload([...stale]);
  const gating = devicesWith(submissions, ({ gated }) => gated.length > 0);
  if (gating.size > 0) await loadGated(registry, [...gating], stale);
};

const acknowledge = async (submissions: readonly Submission[]): Promise<void> => {
  const slice = createTimeSlice();
  for (const { done } of submissions) {
    done("stored");
    if (slice.isUsedUp()) await slice.next();
  }
};

/** A committed batch, and how long its transaction took, seconds. */
export interface WrittenBatch {
  batch: EvaluatedBatch;
  committedIn: number;
}

/**
 * Runs `work`, which loads the devices of these messages and writes them, in a transaction that has raised their versions before. Who finds only when it
 * writes that another writer was faster would find it again and again beside one that writes the same devices all the time: a node that was suspended, and
 * whose devices have gone on at another one, wrote nothing for twenty seconds.
 */
export const holding = async <T>(
  { pool, registry }: Pick<BatchNeeds, "pool" | "registry">,
  submissions: readonly Submission[],
  work: (held: Held) => Promise<T>,
): Promise<T> => {
  const ids = new Set<number>();
  for (const { deviceId, gated } of devicesWith(submissions, () => true))
    for (const id of [deviceId, ...gated]) ids.add(id);
  const client = await pool.connect();
  try {
    let isOpen = true;
    const [, raised] = await Promise.all([client.query("BEGIN"), raiseVersions(client, [...ids])]);
    const known = Array.from(raised, ([deviceId, version]) => ({ device: registry.inMemory({ deviceId }), version }));
    for (const { device, version } of known) if (device && device.version + 1 !== version) device.isStale = true;
    const commit = async (): Promise<void> => {
      await client.query("COMMIT");
      isOpen = false;
    };
    const result = await work({ client, raised, commit });
    for (const { device, version } of known) if (device && !isOpen) device.version = version;
    // What is not committed ends with its connection.
    client.release(isOpen);
    return result;
  } catch (fault) {
    client.release(true);
    throw fault;
  }
};

/**
 * Evaluates and commits these messages in one transaction, then acknowledges them and emits live events. Throws when the commit failed or its outcome
 * is unknown: the devices must then be reloaded.
 */
export const writeBatch = async (
  { pool, bus, clock, node, registry }: BatchNeeds,
  submissions: readonly Submission[],
  held?: Held,
): Promise<WrittenBatch> => {
  const now = clock.now();
  const batch = evaluateBatch(submissions, now, (deviceId) => registry.inMemory({ deviceId }));
  const began = performance.now();
  let committedIn: number;
  try {
    const arrivals = submissions.flatMap((submission) => submission.arrival ?? []);
    await storeBatch(pool, batch, { arrivals, nodeId: node.id, now }, held);
    committedIn = (performance.now() - began) / 1000;
  } catch (fault) {
    dropDrafts(batch);
    throw fault;
  }
  adoptDrafts(batch);
  announceBatch(bus, batch, now);
  await acknowledge(submissions);
  return { batch, committedIn };
};
