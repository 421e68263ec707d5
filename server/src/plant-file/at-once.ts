/** Calls that are under way at a time: enough to keep the server busy, few enough to leave it to others. */
const most = 8;

/** Calls `work` for every row, several at a time; resolves with the results in the rows' order, and rejects with the first fault when all that began have ended. */
export const atOnce = async <T, R>(rows: readonly T[], work: (row: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = [];
  const turns = rows.entries();
  let fault: { cause: unknown } | undefined;
  const run = async (): Promise<void> => {
    for (const [at, row] of turns) {
      if (fault) return;
      try {
        results[at] = await work(row);
      } catch (cause) {
        fault ??= { cause };
      }
    }
  };
  await Promise.all(Array.from({ length: most }, run));
  if (fault) throw fault.cause;
  return results;
};
