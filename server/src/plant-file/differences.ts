import { isDeepStrictEqual } from "node:util";
import type { Section } from "./document/document.ts";

/** One value that the file wants to be different from the plant's. */
export interface Difference {
  path: string[];
  before: unknown;
  after: unknown;
}

/** What the file wants to be different, an entry each. */
export interface PlannedEntry {
  section: Section;
  name: string;
  isNew: boolean;
  differences: Difference[];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Where the wanted values differ from the present ones. What the file leaves out stays as it is; lists are compared as a whole. */
export const differencesOf = (present: unknown, wanted: unknown, path: string[] = []): Difference[] => {
  if (wanted === undefined || isDeepStrictEqual(present, wanted)) return [];
  if (isRecord(wanted) && (isRecord(present) || present === undefined || present === null))
    return Object.entries(wanted).flatMap(([key, value]) =>
      differencesOf(isRecord(present) && Object.hasOwn(present, key) ? present[key] : undefined, value, [...path, key]),
    );
  return [{ path, before: present, after: wanted }];
};

const written = (value: unknown): string => {
  if (value === undefined) return "nothing";
  return typeof value === "string" ? value : JSON.stringify(value);
};

/** A difference as one reads it: `devices / Pump / offlineAfter: 10 -> 30`. */
export const differenceText = ({ path, before, after }: Difference): string =>
  before === undefined
    ? `+ ${path.join(" / ")}: ${written(after)}`
    : `~ ${path.join(" / ")}: ${written(before)} -> ${written(after)}`;
