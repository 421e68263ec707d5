/** A promise, the measurement, and whether it was kept. */
export interface Finding {
  promise: string;
  /** The measurement, with units. */
  counted: string;
  /** Absent when it could not be tested on this machine. */
  isKept?: boolean;
}

/** The promises that were not kept, in words; what this user is not permitted to test, such as mounting a disk, is neither kept nor broken. */
export const broken = (findings: readonly Finding[]): string[] =>
  findings.filter(({ isKept }) => isKept === false).map(({ promise, counted }) => `${promise}: ${counted}`);

/** A test scenario; its title is its heading in docs/reliability.md. */
export interface Scenario {
  title: string;
  /** What is done to the server, for readers of the results. */
  does: string;
  /** `scale` 1 is the published size; less is a short trial. */
  run(scale: number): Promise<Finding[]>;
}

/** The count at this scale, at least one. */
export const scaled = (count: number, scale: number): number => Math.max(1, Math.round(count * scale));

const thousands = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** "50,000 readings" */
export const count = (value: number, unit: string): string => `${thousands.format(value)} ${unit}`;
