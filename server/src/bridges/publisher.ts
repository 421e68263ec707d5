import { createTimeSlice } from "../platform/time-slice.ts";
import { decodeBlock } from "../readings/index.ts";
import type { World } from "../world.ts";
import type { Broker } from "./broker.ts";
import { bridgedDevices } from "./devices.ts";
import type { BridgedDevices, Format, Message } from "./formats/format.ts";
import { type Entry, mayBeMore, type Outcome, oldestEntries, settleEntries } from "./queue/entries.ts";

interface Needs extends Pick<World, "pool" | "clock" | "log"> {
  bridgeId: number;
  broker: Broker;
  format: Format;
}

/** How often the devices are looked up for changes, milliseconds. */
const refresh = 10_000;

/** An entry as it is published; its readings are undefined when they cannot be read. */
type Opened = Entry & { block: ReturnType<typeof decodeBlock> | undefined };

const areKnown = (devices: BridgedDevices, { block, alert }: Opened): boolean => {
  if (alert) return devices.values().some(({ deviceSnId }) => deviceSnId === alert.deviceSnId);
  for (let index = 0; index < (block?.channelIds.length ?? 0); index++)
    if (!devices.get(block?.deviceIds[index] ?? 0)?.channels.has(block?.channelIds[index] ?? 0)) return false;
  return true;
};

/** Publishes what is queued for a bridge over one connection, oldest first. */
export const createPublisher = ({ pool, clock, log, bridgeId, broker, format }: Needs) => {
  let devices: BridgedDevices = new Map();
  let lookedUp = Number.NEGATIVE_INFINITY;
  let areBirthsWanted = true;
  const lookUp = async (): Promise<BridgedDevices> => {
    lookedUp = performance.now();
    devices = await bridgedDevices(pool, bridgeId);
    return devices;
  };
  const open = (entry: Entry): Opened => {
    try {
      return { ...entry, block: entry.readings ? decodeBlock(entry.readings) : undefined };
    } catch (fault) {
      log.error({ err: fault, bridgeId, entryId: entry.entryId }, "Readings for a bridge are damaged and left out");
      return { ...entry, block: undefined };
    }
  };
  const messagesOf = async ({ block, alert, queuedTs }: Opened): Promise<Iterable<Message>> => {
    if (alert) return format.alert(alert, new Date(queuedTs), devices);
    return block ? format.readings(block, devices) : [];
  };
  /** Looks the devices up when they may have other names, units or states, and publishes what has changed. */
  const announce = async (): Promise<void> => {
    if (!areBirthsWanted && performance.now() - lookedUp < refresh) return;
    const tell = areBirthsWanted ? format.births : format.changes;
    areBirthsWanted = false;
    const found = await lookUp();
    await broker.publish((await tell?.(found)) ?? []);
  };
  const publish = async (entries: readonly Opened[]): Promise<Outcome> => {
    const slice = createTimeSlice();
    const parts: Iterable<Message>[] = [];
    for (const entry of entries) {
      parts.push(await messagesOf(entry));
      if (slice.isUsedUp()) await slice.next();
    }
    let told = 0;
    const counting = function* (): Iterable<Message> {
      for (const messages of parts)
        for (const message of messages) {
          told += message.count;
          yield message;
        }
    };
    const refused = await broker.publish(counting());
    const lost = entries.filter(({ readings, block }) => readings && !block);
    return { published: told - refused, refused, lost: lost.reduce((sum, { count }) => sum + count, 0) };
  };
  return {
    /** The broker's host asks for the births again. */
    onCommand: (payload: Buffer): void => {
      areBirthsWanted ||= format.isRebirth?.(payload) ?? false;
    },
    /**
     * Publishes the oldest entries, and removes them from the queue once the broker has acknowledged all. Returns whether there may be more. Rejects when
     * the connection was lost: they are published again.
     */
    publishOldest: async (): Promise<boolean> => {
      await announce();
      const entries = (await oldestEntries(pool, bridgeId)).map(open);
      if (entries.length === 0) return false;
      // A device of them may have been added since it was looked up; one that is still unknown is no longer published.
      if (!entries.every((entry) => areKnown(devices, entry))) await lookUp();
      const outcome = await publish(entries);
      await settleEntries(pool, bridgeId, entries, outcome, clock.now());
      return mayBeMore(entries);
    },
  };
};
