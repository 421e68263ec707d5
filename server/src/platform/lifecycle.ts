/** Stops started parts in reverse order. */
export interface Lifecycle {
  /** Registers what is done before a planned stop, while everything still works. */
  onDrain(drain: () => Promise<unknown>): void;
  /** Does it. */
  drain(): Promise<void>;
  /** Registers how to stop a part that has just been started. */
  onStop(name: string, stop: () => Promise<unknown> | unknown): void;
  /** Stops everything, latest first; a failure does not affect the others. Idempotent. */
  stop(): Promise<void>;
}

export const createLifecycle = (onFault: (name: string, fault: unknown) => void): Lifecycle => {
  const stops: { name: string; stop: () => Promise<unknown> | unknown }[] = [];
  const drains: (() => Promise<unknown>)[] = [];
  let stopped: Promise<void> | undefined;
  const stopAll = async (): Promise<void> => {
    for (let last = stops.pop(); last; last = stops.pop()) {
      try {
        await last.stop();
      } catch (fault) {
        onFault(last.name, fault);
      }
    }
  };
  return {
    onDrain: (drain) => void drains.push(drain),
    drain: async () => void (await Promise.all(drains.map((drain) => drain()))),
    onStop: (name, stop) => void stops.push({ name, stop }),
    stop: () => {
      stopped ??= stopAll();
      return stopped;
    },
  };
};
