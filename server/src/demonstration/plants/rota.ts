import { createHash } from "node:crypto";
import { Role } from "@telltale/contract/permissions";
import type { Moments } from "./moments.ts";
import type { People, PlantUser } from "./people.ts";

/** Who checks the alert log when, in minutes of the day; the users on duty on even and odd days. */
interface Shift {
  from: number;
  by: readonly Role[];
  /** Share of alerts that are not confirmed. */
  unconfirmed: number;
  /** Shortest and longest time to a confirmation, seconds. */
  delay: readonly [number, number];
}

const hour = 60;
const late: Shift = { from: 22 * hour, by: [Role.installer, Role.admin], unconfirmed: 0.6, delay: [150, 540] };
const shifts: readonly Shift[] = [
  { from: 6 * hour, by: [Role.deviceManager, Role.installer], unconfirmed: 0.08, delay: [25, 200] },
  { from: 14 * hour, by: [Role.admin, Role.deviceManager], unconfirmed: 0.12, delay: [35, 260] },
  late,
];

const day = 86_400_000;
/** An alert open for this long is confirmed in any case, milliseconds. */
const unmissable = 3_600_000;

/** Two pseudo-random numbers in [0, 1), the same for the same occurrence. */
const drawn = (occurrence: string): [number, number] => {
  const digest = createHash("sha256").update(occurrence).digest();
  return [digest.readUInt32BE(0) / 2 ** 32, digest.readUInt32BE(4) / 2 ** 32];
};

/** A past alert. */
export interface PastAlert {
  ruleKey: string;
  created: Date;
  cleared: Date | null;
}

export interface PastConfirmation {
  at: Date;
  by: PlantUser;
}

/** Who confirmed a past alert, and when; undefined when it was not confirmed before it cleared. `now`: end of the past. */
export const confirmationOf = (
  { ruleKey, created, cleared }: PastAlert,
  { people, moments }: { people: People; moments: Moments },
): PastConfirmation | undefined => {
  const minutes = moments.minutesAt(created);
  const shift = shifts.findLast(({ from }) => minutes >= from) ?? late;
  const [chance, share] = drawn(`${ruleKey} ${created.getTime()}`);
  const stands = cleared === null || cleared.getTime() - created.getTime() > unmissable;
  if (!stands && chance < shift.unconfirmed) return undefined;
  const onDuty = shift.by.flatMap((role) => people.get(role) ?? []);
  const by = onDuty[Math.floor(created.getTime() / day) % Math.max(1, onDuty.length)];
  const [shortest, longest] = shift.delay;
  const at = new Date(created.getTime() + Math.round(1000 * (shortest + share * (longest - shortest))));
  const isInTime = at < moments.now && (cleared === null || at < cleared);
  return by && isInTime ? { at, by } : undefined;
};
