import type { Input } from "@telltale/contract/call/call";
import { Message } from "@telltale/contract/call/codes";
import {
  type OnCall,
  type Plan,
  type Roster,
  rosterBounds,
  type rosters,
  type Shift,
  TargetKind,
} from "@telltale/contract/domains/alerting/escalation";
import type { SilentNow } from "@telltale/contract/domains/alerting/silent-now";
import { isAllowed } from "@telltale/contract/permissions";
import { sql } from "kysely";
import { userNameIn } from "../../access/index.ts";
import { audit } from "../../platform/database/audit.ts";
import { lockPlant } from "../../platform/database/lock-plant.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { conflict, invalid, notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { World } from "../../world.ts";
import { onCallBetween } from "./on-call.ts";
import { rostersOf } from "./recipients.ts";
import { maySwap } from "./swaps.rules.ts";

type Needs = Pick<World, "db" | "clock">;
type RosterFields = Input<typeof rosters.add>;

/** Names of everybody who has been in the plant, by account. */
export const namesOf = async (db: Database, plantId: number): Promise<(accountId: number) => string> => {
  const rows = await db
    .selectFrom("accounts")
    .innerJoin("users", "users.user_id", "accounts.user_id")
    .where("accounts.plant_id", "=", plantId)
    .select(["accounts.account_id", userNameIn("users").as("name")])
    .execute();
  const names = new Map(rows.map((row) => [row.account_id, row.name ?? ""]));
  return (accountId) => names.get(accountId) ?? "";
};

/** Names of the accounts that a swap replaces. */
export const namesIn = (replaced: readonly (number | null)[], nameOf: (accountId: number) => string): string[] =>
  replaced.flatMap((accountId) => (accountId === null ? [] : nameOf(accountId)));

const day = 86_400_000;

/** Rejects times that end before they begin, and longer ones than `rosterBounds`. */
export const checkTimes = (from: Date, to: Date): void => {
  if (to <= from) throw invalid("To must be later than from");
  if (to.getTime() - from.getTime() > rosterBounds.longestDays * day)
    throw invalid(`From and to are at most ${rosterBounds.longestDays} days apart`);
};

/** The plant's rosters by name, with the swaps that have not ended. */
export const rosterList = async (db: Database, caller: Caller, now: Date): Promise<Roster[]> => {
  const nameOf = await namesOf(db, caller.plantId);
  return [...(await rostersOf(db, caller.plantId, now))].map(([rosterId, roster]) => ({
    rosterId,
    rosterName: roster.name,
    timeZoneId: roster.timeZoneId,
    shifts: [...roster.allShifts],
    swaps: roster.swaps
      .toSorted((one, other) => one.from - other.from)
      .map((swap) => ({
        swapId: swap.swapId,
        accountId: swap.accountId,
        name: nameOf(swap.accountId),
        insteadOf: namesIn(swap.insteadOf, nameOf).join(", "),
        from: new Date(swap.from),
        to: new Date(swap.to),
        mayEnd: isAllowed("rosters.swap", caller) && maySwap(caller, swap.insteadOf),
      })),
    version: roster.version,
  }));
};

/** Who is on call between two times, with the gaps; 404 for another plant's roster. */
export const onCallOf = async (
  db: Database,
  plantId: number,
  { rosterId, from, to }: Input<typeof rosters.onCall>,
): Promise<OnCall[]> => {
  checkTimes(from, to);
  const roster = (await rostersOf(db, plantId, from)).get(rosterId);
  if (!roster) throw notFound();
  const nameOf = await namesOf(db, plantId);
  return onCallBetween(roster, from.getTime(), to.getTime()).map((span) => ({
    from: new Date(span.from),
    to: new Date(span.to),
    accountId: span.accountId,
    name: span.accountId === null ? "" : nameOf(span.accountId),
    insteadOf: span.insteadOf === null ? null : nameOf(span.insteadOf),
  }));
};

/** The rosters that these plans notify and in which nobody is on call now, by name, with when somebody is again. */
export const rosterGapsOf = async (
  db: Database,
  plantId: number,
  plans: readonly Pick<Plan, "steps">[],
  now: Date,
): Promise<SilentNow["rosterGaps"]> => {
  const targets = plans.flatMap(({ steps }) => steps.flatMap(({ to }) => to));
  const inGap = targets.filter(({ kind, problem }) => kind === TargetKind.roster && problem !== "").map(({ id }) => id);
  if (inGap.length === 0) return [];
  const until = now.getTime() + rosterBounds.longestDays * day;
  return [...(await rostersOf(db, plantId, now))]
    .filter(([rosterId]) => inGap.includes(rosterId))
    .map(([rosterId, roster]) => {
      const next = onCallBetween(roster, now.getTime(), until).find(({ accountId }) => accountId !== null);
      return { rosterId, rosterName: roster.name, until: next ? new Date(next.from) : null };
    });
};

/** Rejects people who are not users of the plant, or have not joined yet; 404. */
export const checkPeople = async (db: Database, plantId: number, accountIds: readonly number[]): Promise<void> => {
  const asked = [...new Set(accountIds)];
  const rows = await db
    .selectFrom("accounts")
    .select("account_id")
    .where("plant_id", "=", plantId)
    .where("activate", "=", true)
    .where("removed_time", "is", null)
    .where(sql<boolean>`account_id = any(${asked}::int[])`)
    .execute();
  if (rows.length < asked.length) throw notFound("Choose people who use this account now");
};

/** Locks a roster of the plant; 404 for any other id. */
export const lockRoster = async (trx: Database, plantId: number, rosterId: number) => {
  const row = await trx
    .selectFrom("rosters")
    .selectAll()
    .where("roster_id", "=", rosterId)
    .where("plant_id", "=", plantId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
};

const columnsOf = ({ rosterName, timeZoneId, shifts }: RosterFields) => ({
  roster_name: rosterName,
  time_zone_id: timeZoneId,
  shifts: JSON.stringify(shifts.map(({ days, from, to, accountId }) => ({ days, from, to, accountId }))),
});

const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const clock = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((figure) => String(figure).padStart(2, "0")).join(":");

/** The roster as recorded in the audit log. */
const recorded = (
  { rosterName, timeZoneId, shifts }: { rosterName: string; timeZoneId: string; shifts: readonly Shift[] },
  nameOf: (accountId: number) => string,
) => ({
  rosterName,
  timeZoneId,
  shifts: shifts.map(
    ({ days, from, to, accountId }) =>
      `${nameOf(accountId)}, ${days.map((each) => weekdays[each - 1]).join(" ")}, ${clock(from)} to ${clock(to)}`,
  ),
});

/** Creates a roster; returns its id. */
export const addRoster = (needs: Needs, fields: RosterFields, { plantId, userId }: Caller): Promise<number> =>
  needs.db.transaction().execute(async (trx) => {
    const now = needs.clock.date();
    await checkPeople(
      trx,
      plantId,
      fields.shifts.map(({ accountId }) => accountId),
    );
    await lockPlant(trx, plantId);
    const { count } = await trx
      .selectFrom("rosters")
      .where("plant_id", "=", plantId)
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    if (count >= rosterBounds.rosters)
      throw conflict(`A plant has at most ${rosterBounds.rosters} rosters. Delete one first`);
    const { roster_id: rosterId } = await trx
      .insertInto("rosters")
      .values({ ...columnsOf(fields), plant_id: plantId, created_time: now })
      .returning("roster_id")
      .executeTakeFirstOrThrow();
    const after = recorded(fields, await namesOf(trx, plantId));
    const detail = { target: fields.rosterName, rosterId, after };
    await audit(trx, { plantId, userId, action: "roster.add", detail, now });
    return rosterId;
  });

/** Updates name, time zone and shifts of a roster; its swaps stay. */
export const updateRoster = (
  needs: Needs,
  { rosterId, version, ...fields }: Input<typeof rosters.update>,
  { plantId, userId }: Caller,
): Promise<void> =>
  needs.db.transaction().execute(async (trx) => {
    const now = needs.clock.date();
    const found = await lockRoster(trx, plantId, rosterId);
    if (version !== undefined && version !== found.version) throw conflict(Message.changedMeanwhile);
    await checkPeople(
      trx,
      plantId,
      fields.shifts.map(({ accountId }) => accountId),
    );
    await trx
      .updateTable("rosters")
      .set({ ...columnsOf(fields), version: found.version + 1 })
      .where("roster_id", "=", rosterId)
      .execute();
    const nameOf = await namesOf(trx, plantId);
    const was = { rosterName: found.roster_name, timeZoneId: found.time_zone_id, shifts: found.shifts };
    const detail = {
      ...{ target: fields.rosterName, rosterId },
      ...{ before: recorded(was, nameOf), after: recorded(fields, nameOf) },
    };
    await audit(trx, { plantId, userId, action: "roster.edit", detail, now });
  });

/** Deletes a roster with its swaps; refused while a plan notifies it. */
export const removeRoster = (needs: Needs, rosterId: number, { plantId, userId }: Caller): Promise<void> =>
  needs.db.transaction().execute(async (trx) => {
    const now = needs.clock.date();
    const found = await lockRoster(trx, plantId, rosterId);
    const named = JSON.stringify([{ to: [{ kind: TargetKind.roster, id: rosterId }] }]);
    const plan = await trx
      .selectFrom("plans")
      .select("plan_name")
      .where("plant_id", "=", plantId)
      .where(sql<boolean>`steps @> ${named}::jsonb`)
      .orderBy("plan_name")
      .executeTakeFirst();
    if (plan) throw conflict(`The plan '${plan.plan_name}' notifies this roster. Take it out of the plan first`);
    await trx.deleteFrom("rosters").where("roster_id", "=", rosterId).execute();
    const was = { rosterName: found.roster_name, timeZoneId: found.time_zone_id, shifts: found.shifts };
    const before = recorded(was, await namesOf(trx, plantId));
    const detail = { target: found.roster_name, rosterId, before };
    await audit(trx, { plantId, userId, action: "roster.delete", detail, now });
  });
