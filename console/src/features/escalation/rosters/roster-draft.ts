import type { Input } from "@telltale/contract/call/call";
import { type Roster, rosters } from "@telltale/contract/domains/alerting/escalation";
import { z } from "zod";

export type RosterFields = Input<typeof rosters.add>;

/** A shift as it is edited; times as `06:00`, `key` tells shifts apart. */
export interface DraftShift {
  key: number;
  days: readonly number[];
  from: string;
  to: string;
  accountId: number | undefined;
}

/** A roster as it is edited. */
export interface RosterDraft {
  rosterName: string;
  timeZoneId: string;
  shifts: readonly DraftShift[];
}

const minutesOf = (clock: string): number => {
  const [hours = "", minutes = ""] = clock.split(":");
  return hours === "" ? Number.NaN : Number(hours) * 60 + Number(minutes);
};

const clockOf = (minutes: number): string =>
  [Math.floor(minutes / 60) % 24, minutes % 60].map((figure) => String(figure).padStart(2, "0")).join(":");

/** The roster to edit; without one, a new roster in the browser's time zone with one shift by day. */
export const rosterDraftOf = (roster: Roster | undefined): RosterDraft => ({
  rosterName: roster?.rosterName ?? "",
  timeZoneId: roster?.timeZoneId ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  shifts: roster?.shifts.map(({ days, from, to, accountId }, key) => ({
    ...{ key, days, accountId, from: clockOf(from), to: clockOf(to) },
  })) ?? [newShift(0)],
});

/** A shift on working days from 6 to 14, of nobody yet. */
export const newShift = (key: number): DraftShift => ({
  ...{ key, days: [1, 2, 3, 4, 5], from: "06:00", to: "14:00", accountId: undefined },
});

/** The draft as a save sends it. */
export const fieldsOfRoster = ({ rosterName, timeZoneId, shifts }: RosterDraft): RosterFields => ({
  ...{ rosterName, timeZoneId },
  shifts: shifts.map(({ days, from, to, accountId }) => ({
    ...{ days: days.toSorted(), from: minutesOf(from), to: minutesOf(to) },
    accountId: accountId as number,
  })),
});

/**
 * What the declaration says about the draft, by the fields' paths such as `shifts.1.accountId`; none when it can be saved. A shift of somebody who is not
 * among these people any more is nobody's.
 */
export const rosterErrors = (
  draft: RosterDraft,
  people: readonly { id: number }[],
): Readonly<Record<string, string>> => {
  const ids = new Set<number | undefined>(people.map(({ id }) => id));
  const shifts = draft.shifts.map((shift) => (ids.has(shift.accountId) ? shift : { ...shift, accountId: undefined }));
  const { error } = z.safeParse(rosters.add.body as z.ZodType, fieldsOfRoster({ ...draft, shifts }));
  const errors: Record<string, string> = {};
  for (const { path, message } of error?.issues ?? []) errors[path.slice(0, 3).join(".")] ??= message;
  return errors;
};
