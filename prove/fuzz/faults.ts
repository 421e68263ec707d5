/** Counted failures; the first of each kind are printed with the number that reproduces them. */
export interface Faults {
  add(kind: FaultKind, number: number, what: string): void;
  count(kind: FaultKind): number;
}

/** Answered 500 or 503, not answered at all, or not stored although valid. */
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
