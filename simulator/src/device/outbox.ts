/** A message ready to be sent: moments of the connection's own device, or of the sub-devices behind it. */
export interface Message {
  isGateway: boolean;
  payload: string;
  readings: number;
}

/** Keeps what a connection has to say until the server has it. */
export interface Outbox {
  /** Takes a moment of a device, `{"ts":…,"values":{…}}`, with `readings` values. */
  add: (deviceSnId: string, moment: string, readings: number) => void;
  /**
   * Sends what is waiting as far as the bounds allow. From now on a message holds at least `worthwhile` moments: 1 live, hundreds where
   * the past is written.
   */
  flush: (worthwhile?: number) => void;
  /** Settles when fewer than this many readings wait or are under way. */
  below: (readings: number) => Promise<void>;
  /** Readings that the server has acknowledged, that wait or are under way, and that did not fit the memory. */
  readonly counts: { acknowledged: number; pending: number; dropped: number };
}

export interface OutboxNeeds {
  /** The connection's own device ID. */
  own: string;
  /** Sends a message; settles when it is acknowledged, and never before. */
  send: (message: Message) => Promise<unknown>;
  isConnected: () => boolean;
  /** Messages under way at once. */
  inFlight: number;
  /** Readings kept while there is no connection; then the oldest make room. */
  memory: number;
}

interface Entry {
  deviceSnId: string;
  moment: string;
  readings: number;
}

/** A message holds at most this many moments, and characters far below the largest payload that the server takes. */
const largest = { moments: 800, characters: 120_000 } as const;

const totalReadings = (entries: readonly Entry[]): number => entries.reduce((sum, entry) => sum + entry.readings, 0);

/** Takes a message's worth from the front of a queue. */
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

/** The two queues of an outbox: its own device's moments, and those of the sub-devices. */
const createQueues = (own: string, memory: number) => {
  const queues: Record<"own" | "subDevices", Entry[]> = { own: [], subDevices: [] };
  let waiting = 0;
  return {
    add(entry: Entry): void {
      (entry.deviceSnId === own ? queues.own : queues.subDevices).push(entry);
      waiting += entry.readings;
    },
    /** Makes room; says how many readings are lost. */
    shrink(): number {
      let lost = 0;
      while (waiting > memory) {
        const longer = queues.own.length > queues.subDevices.length ? queues.own : queues.subDevices;
        // A tenth at once: taking one from the front of a long array is dear.
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
 * Store and forward, as a device with memory does it: moments wait while there is no connection, leave in order in as few messages as
 * fit, and count as delivered when they are acknowledged.
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
        // The connection was closed for good: nobody waits for it any more.
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
