/** What a device can long-poll for over HTTP. */
export type PolledKind = "attributes" | "rpc";

/** Most concurrent long polls of one device, for each kind. */
const pollLimit = 4;

/** Pending long polls of devices. */
export interface Polls {
  /**
   * Starts a poll; undefined at the limit. Resolves with the next content for the device, or with undefined after `timeout` milliseconds or when
   * `signal` aborts.
   */
  wait(deviceId: number, kind: PolledKind, timeout: number, signal: AbortSignal): Promise<unknown> | undefined;
  /** Whether the device has a pending long poll. */
  isWaiting(deviceId: number, kind: PolledKind): boolean;
  /** Answers a pending long poll with `content`; false when there is none. */
  offer(deviceId: number, kind: PolledKind, content: unknown): boolean;
  stop(): void;
}

type Answer = (content: unknown) => void;

export const createPolls = (): Polls => {
  const waiting = new Map<string, Set<Answer>>();
  const keyOf = (deviceId: number, kind: PolledKind) => `${deviceId}:${kind}`;
  return {
    wait: (deviceId, kind, timeout, signal) => {
      const key = keyOf(deviceId, kind);
      const others = waiting.get(key) ?? new Set();
      if (others.size >= pollLimit || signal.aborted) return undefined;
      waiting.set(key, others);
      return new Promise((resolve) => {
        const give = () => answer(undefined);
        const timer = setTimeout(give, timeout);
        const answer: Answer = (content) => {
          clearTimeout(timer);
          signal.removeEventListener("abort", give);
          others.delete(answer);
          if (others.size === 0 && waiting.get(key) === others) waiting.delete(key);
          resolve(content);
        };
        signal.addEventListener("abort", give);
        others.add(answer);
      });
    },
    isWaiting: (deviceId, kind) => waiting.has(keyOf(deviceId, kind)),
    offer: (deviceId, kind, content) => {
      const [first] = waiting.get(keyOf(deviceId, kind)) ?? [];
      first?.(content);
      return first !== undefined;
    },
    stop: () => {
      for (const answers of [...waiting.values()]) for (const answer of [...answers]) answer(undefined);
    },
  };
};
