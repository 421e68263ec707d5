import { createHistogram } from "./histogram.ts";
import { type Counts, createPublisher, type LoadDevice, type Past, type Publisher } from "./publisher.ts";

export interface LoadNeeds {
  host: string;
  port: number;
  /** One connection each. */
  devices: LoadDevice[];
  readingsPerMessage: number;
  /** Every device sends readings of the past, from the same time on; absent: of the current time. */
  past?: Past;
  /** Maximum messages in flight per connection. */
  inFlight: number;
  /** Messages per second of all connections together; absent: as fast as they are acknowledged. */
  rate?: number;
}

/** Messages, readings, latencies from publish to acknowledgement in milliseconds, elapsed and CPU time in seconds. */
export interface LoadStats extends Counts {
  readings: number;
  acknowledgedReadings: number;
  seconds: number;
  cpuSeconds: number;
  p50: number;
  p90: number;
  p99: number;
  worst: number;
}

/** Milliseconds between two turns of a load with a fixed rate. */
const turn = 5;
/** After a stall, at most this many seconds of messages are caught up at once. */
const longestDebt = 0.25;

/** Distributes over the connections what the rate permits since the last turn. */
const pace = (publishers: readonly Publisher[], perSecond: number): NodeJS.Timeout => {
  let last = performance.now();
  let due = 0;
  let first = 0;
  return setInterval(() => {
    const now = performance.now();
    due = Math.min(perSecond * longestDebt, due + (perSecond * (now - last)) / 1000);
    last = now;
    const each = Math.max(1, Math.ceil(due / publishers.length));
    for (let i = 0; i < publishers.length && due >= 1; i++) {
      // Starts with a different connection each turn, so that a low rate reaches all.
      first = (first + 1) % publishers.length;
      due -= publishers[first]?.publish(Math.min(each, Math.floor(due))) ?? 0;
    }
  }, turn);
};

/** Connections opened at a time: a server refuses more than some thousands from one network that have not signed in. */
const connectsAtOnce = 1_000;

/** Publishes in this process; see `createLoad` for a separate process. */
export const runLoad = (needs: LoadNeeds) => {
  const counts: Counts = { sent: 0, acknowledged: 0, lost: 0 };
  const latency = createHistogram();
  const { rate } = needs;
  let isRunning = false;
  let timer: NodeJS.Timeout | undefined;
  let startedAt = 0;
  let cpuAtStart = process.cpuUsage();
  const publishers: Publisher[] = [];
  const open = (device: LoadDevice): Publisher => {
    const publisher = createPublisher({
      ...needs,
      device,
      counts,
      latency,
      onRoom: () => {
        if (isRunning && rate === undefined) publisher.publish(needs.inFlight);
      },
    });
    publishers.push(publisher);
    return publisher;
  };
  return {
    start: async (): Promise<void> => {
      for (let at = 0; at < needs.devices.length; at += connectsAtOnce)
        await Promise.all(needs.devices.slice(at, at + connectsAtOnce).map((device) => open(device).connected));
      isRunning = true;
      startedAt = performance.now();
      cpuAtStart = process.cpuUsage();
      if (rate !== undefined) timer = pace(publishers, rate);
      else for (const publisher of publishers) publisher.publish(needs.inFlight);
    },
    stats: (): LoadStats => {
      const { user, system } = process.cpuUsage(cpuAtStart);
      return {
        ...counts,
        readings: counts.sent * needs.readingsPerMessage,
        acknowledgedReadings: counts.acknowledged * needs.readingsPerMessage,
        seconds: startedAt === 0 ? 0 : (performance.now() - startedAt) / 1000,
        cpuSeconds: (user + system) / 1_000_000,
        p50: latency.quantile(0.5),
        p90: latency.quantile(0.9),
        p99: latency.quantile(0.99),
        worst: latency.worst(),
      };
    },
    /** Stops new messages; those in flight may still be acknowledged. */
    pause: (): void => {
      isRunning = false;
      clearInterval(timer);
    },
    end: (): void => {
      for (const publisher of publishers) publisher.end();
    },
  };
};
