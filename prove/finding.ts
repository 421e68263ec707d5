/** A promise, what was counted, and whether it was kept. */
export interface Finding {
  promise: string;
  /** What was counted or measured, with units. */
  counted: string;
  /** Absent: it could not be tried where this was run. */
  isKept?: boolean;
}

/** What a scenario tries; its title is its heading in docs/reliability.md. */
export interface Scenario {
  title: string;
  /** What is done to the server, for the reader of the results. */
  does: string;
  /** `scale` 1 does it as often as the results say; less is a short trial. */
  run(scale: number): Promise<Finding[]>;
}

/** So many of them at this scale, at least one. */
export const scaled = (count: number, scale: number): number => Math.max(1, Math.round(count * scale));

const thousands = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** "50,000 readings" */
export const count = (value: number, unit: string): string => `${thousands.format(value)} ${unit}`;
