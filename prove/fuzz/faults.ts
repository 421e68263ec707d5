/** What went wrong, counted; the first of each kind are written out with the number to find them again by. */
export interface Faults {
  add(kind: FaultKind, number: number, what: string): void;
  count(kind: FaultKind): number;
}

/** Answered 500 or 503, not answered at all, or not stored although it was good. */
export type FaultKind = "failed" | "hung";

const most = 10;

export const createFaults = (): Faults => {
  const counts = new Map<FaultKind, number>();
  const count = (kind: FaultKind) => counts.get(kind) ?? 0;
  return {
    count,
    add: (kind, number, what) => {
      counts.set(kind, count(kind) + 1);
      if (count(kind) <= most) process.stderr.write(`${kind}, number ${number}: ${what}\n`);
    },
  };
};
