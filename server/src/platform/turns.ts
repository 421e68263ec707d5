/** Has costly work done in turn. `key` names what may have only one piece of work done at a time. Resolves and rejects as the work does. */
export type InTurn = <T>(key: number, work: () => Promise<T>) => Promise<T>;

/** Work of one key waits for the work of that key before it; of all keys at most `atOnce` pieces are done at a time, first come, first served. */
export const createTurns = (atOnce: number): InTurn => {
  const last = new Map<number, Promise<void>>();
  const waiting: (() => void)[] = [];
  let free = atOnce;
  const begin = async (): Promise<void> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const end = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const done = before.then(begin).then(work).finally(end);
    const ended = done.then(
      () => undefined,
      () => undefined,
    );
    last.set(key, ended);
    void ended.then(() => last.get(key) === ended && last.delete(key));
    return done;
  };
};

/** Has work of this key done; resolves and rejects as the work does. */
export type InShare = <T>(key: string, work: () => Promise<T>) => Promise<T>;

interface Share {
  /** How many pieces are being done. */
  running: number;
  waiting: (() => void)[];
}

/**
 * Of one key at most `atOnce` pieces of work are done at a time, and further ones first come, first served: whoever has a thousand costly ones waits for
 * them, and nobody else does. Beyond `mostWaiting` they are rejected with `refusal`.
 */
export const createFairShare = (atOnce: number, mostWaiting: number, refusal: () => Error): InShare => {
  const shares = new Map<string, Share>();
  const enter = async (share: Share): Promise<void> => {
    if (share.running < atOnce) share.running += 1;
    else if (share.waiting.length >= mostWaiting) throw refusal();
    else await new Promise<void>((resolve) => share.waiting.push(resolve));
  };
  const leave = (key: string, share: Share): void => {
    const next = share.waiting.shift();
    if (next) next();
    else share.running -= 1;
    if (share.running === 0) shares.delete(key);
  };
  return async (key, work) => {
    const share = shares.get(key) ?? { running: 0, waiting: [] };
    shares.set(key, share);
    await enter(share);
    try {
      return await work();
    } finally {
      leave(key, share);
    }
  };
};
