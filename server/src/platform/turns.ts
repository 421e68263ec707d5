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
