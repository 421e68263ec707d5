/** A message ready to send: samples of the connection's own device, or of its sub-devices. */
export interface Message {
  isGateway: boolean;
  payload: string;
  readings: number;
}

/** Queues a connection's samples until the server has acknowledged them. */
export interface Outbox {
  /** Adds a sample of a device, `{"ts":…,"values":{…}}`, with `readings` values. */
  add: (deviceSnId: string, moment: string, readings: number) => void;
  /**
   * Sends queued samples within the limits. From now on a message holds at least `worthwhile` samples: 1 live, hundreds while history is written.
   */
  flush: (worthwhile?: number) => void;
  /** Settles when fewer than this many readings are queued or in flight. */
  below: (readings: number) => Promise<void>;
  /** Readings that were acknowledged, are queued or in flight, and were dropped because the memory was full. */
  readonly counts: { acknowledged: number; pending: number; dropped: number };
}

export interface OutboxNeeds {
  /** The connection's own device ID. */
  own: string;
  /** Sends a message; settles only when it is acknowledged. */
  send: (message: Message) => Promise<unknown>;
  isConnected: () => boolean;
  /** Maximum messages in flight. */
  inFlight: number;
  /** Readings buffered while disconnected; beyond that the oldest are dropped. */
  memory: number;
}

interface Entry {
  deviceSnId: string;
  moment: string;
  readings: number;
}

/** Maximum samples per message, and characters, far below the server's payload limit. */
const largest = { moments: 800, characters: 120_000 } as const;

const totalReadings = (entries: readonly Entry[]): number => entries.reduce((sum, entry) => sum + entry.readings, 0);

/** Takes one message's samples from the front of a queue. */
const takeBatch = (queue: Entry[]): Entry[] => {
  let count = 0;
  for (let characters = 0; count < queue.length && count < largest.moments; count++) {
    characters += queue[count]?.moment.length ?? 0;
    if (characters > largest.characters && count > 0) break;
  }
  return queue.splice(0, count);
};

const encodeOwn = (entries: readonly Entry[]): string => `[${entries.map(({ moment }) => moment).join(",")}]`;

const encodeSubDevices = (entries: readonly Entry[]): string => {
  const byDevice = Map.groupBy(entries, ({ deviceSnId }) => deviceSnId);
  const parts = [...byDevice].map(([deviceSnId, list]) => `${JSON.stringify(deviceSnId)}:${encodeOwn(list)}`);
  return `{${parts.join(",")}}`;
};

/** The two queues of an outbox: samples of its own device, and of the sub-devices. */
const createQueues = (own: string, memory: number) => {
  const queues: Record<"own" | "subDevices", Entry[]> = { own: [], subDevices: [] };
  let waiting = 0;
  return {
    add(entry: Entry): void {
      (entry.deviceSnId === own ? queues.own : queues.subDevices).push(entry);
      waiting += entry.readings;
    },
    /** Drops the oldest readings; returns their number. */
    shrink(): number {
      let lost = 0;
      while (waiting > memory) {
        const longer = queues.own.length > queues.subDevices.length ? queues.own : queues.subDevices;
        // Drops a tenth at once: removing single items from the front of a long array is expensive.
        const dropped = totalReadings(longer.splice(0, Math.ceil(longer.length / 10)));
        lost += dropped;
        waiting -= dropped;
      }
      return lost;
    },
    take(worthwhile: number): Message | undefined {
      const isGateway = queues.subDevices.length > queues.own.length;
      const queue = isGateway ? queues.subDevices : queues.own;
      if (queue.length < worthwhile) return undefined;
      const entries = takeBatch(queue);
      const readings = totalReadings(entries);
      waiting -= readings;
      return { isGateway, readings, payload: isGateway ? encodeSubDevices(entries) : encodeOwn(entries) };
    },
  };
};

/**
 * Store and forward, as in a device with memory: samples are queued while disconnected, sent in order in as few messages as possible, and count as
 * delivered when acknowledged.
 */
export const createOutbox = (needs: OutboxNeeds): Outbox => {
  const queues = createQueues(needs.own, needs.memory);
  const counts = { acknowledged: 0, pending: 0, dropped: 0 };
  let waiters: { readings: number; resolve: () => void }[] = [];
  let underWay = 0;
  let least = 1;

  const acknowledged = (readings: number): void => {
    underWay--;
    counts.pending -= readings;
    counts.acknowledged += readings;
    const [done, rest] = [true, false].map((is) => waiters.filter((one) => counts.pending < one.readings === is));
    waiters = rest ?? [];
    for (const { resolve } of done ?? []) resolve();
    flush();
  };
  const flush = (worthwhile = least): void => {
    least = worthwhile;
    while (underWay < needs.inFlight && needs.isConnected()) {
      const message = queues.take(worthwhile);
      if (!message) break;
      underWay++;
      needs.send(message).then(
        () => acknowledged(message.readings),
        // The connection was closed for good: no one waits for the result.
        () => undefined,
      );
    }
  };
  return {
    counts,
    flush,
    add: (deviceSnId, moment, readings) => {
      queues.add({ deviceSnId, moment, readings });
      counts.pending += readings;
      const lost = queues.shrink();
      counts.pending -= lost;
      counts.dropped += lost;
    },
    below: (readings) =>
      counts.pending < readings
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiters.push({ readings, resolve });
          }),
  };
};
