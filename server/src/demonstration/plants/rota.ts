import { createHash } from "node:crypto";
import { Role } from "@telltale/contract/permissions";
import type { Moments } from "./moments.ts";
import type { People, PlantUser } from "./people.ts";

/** Who looks at the alert log when, minutes of the day; whoever is there on even and odd days. */
interface Shift {
  from: number;
  by: readonly Role[];
  /** Share of the alerts that nobody confirms. */
  unconfirmed: number;
  /** Seconds until somebody does, the shortest and the longest time. */
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
/** What stands as long as this is confirmed by somebody, milliseconds. */
const unmissable = 3_600_000;

/** Two numbers in [0, 1) that are the same each time for the same occurrence. */
const drawn = (occurrence: string): [number, number] => {
  const digest = createHash("sha256").update(occurrence).digest();
  return [digest.readUInt32BE(0) / 2 ** 32, digest.readUInt32BE(4) / 2 ** 32];
};

/** An alert of the past. */
export interface PastAlert {
  ruleKey: string;
  created: Date;
  cleared: Date | null;
}

export interface PastConfirmation {
  at: Date;
  by: PlantUser;
}

/** Who confirmed an alert of the past, and when; undefined when nobody did before it was over. `now`: the past ends here. */
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
