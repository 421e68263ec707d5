/** When the server, with its database, was able to work; epoch milliseconds. */
export interface ServiceTimes {
  /** Does something to the server that keeps it from working for a while. */
  interrupt(what: () => Promise<unknown>): Promise<void>;
  /** Whether it has worked for so long in one go between two times. */
  hasWorked(from: number, until: number, milliseconds: number): boolean;
}

/** After it is ready, the server's jobs and the devices get this time to go on, milliseconds. */
const toGoOn = 3_000;

export const createServiceTimes = (): ServiceTimes => {
  const interruptions: { from: number; until: number }[] = [];
  return {
    interrupt: async (what) => {
      const own = { from: Date.now(), until: Number.POSITIVE_INFINITY };
      interruptions.push(own);
      await what();
      own.until = Date.now() + toGoOn;
    },
    hasWorked: (from, until, milliseconds) => {
      let start = from;
      for (const interruption of interruptions) {
        if (interruption.until <= start) continue;
        if (Math.min(interruption.from, until) - start >= milliseconds) return true;
        start = interruption.until;
      }
      return until - start >= milliseconds;
    },
  };
};
