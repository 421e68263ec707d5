import { type Shift, TargetKind } from "@telltale/contract/domains/alerting/escalation";
import type { World } from "../world.ts";
import type { Person } from "./test-people.ts";

type Needs = Pick<World, "db" | "clock">;

/** Creates an escalation plan that notifies owner and admins at once, and is not the default; returns its id. */
export const aPlan = async ({ db, clock }: Needs, { plantId }: Pick<Person, "plantId">): Promise<number> => {
  const steps = JSON.stringify([{ after: 0, to: [{ kind: TargetKind.managers, id: 0 }] }]);
  const rows = db
    .insertInto("plans")
    .values({ plant_id: plantId, plan_name: "Pump station", steps, repeat_every: null, created_time: clock.date() });
  return (await rows.returning("plan_id").executeTakeFirstOrThrow()).plan_id;
};

/** Creates a roster in UTC; returns its id. */
export const aRoster = async (
  { db, clock }: Needs,
  { plantId }: Pick<Person, "plantId">,
  shifts: readonly Shift[] = [],
): Promise<number> => {
  const rows = db.insertInto("rosters").values({
    ...{ plant_id: plantId, roster_name: "Duty electrician", time_zone_id: "UTC", created_time: clock.date() },
    shifts: JSON.stringify(shifts),
  });
  return (await rows.returning("roster_id").executeTakeFirstOrThrow()).roster_id;
};

/** Has the person take a roster for an hour from now; returns the swap's id. */
export const aSwap = async ({ db, clock }: Needs, { accountId }: Person, rosterId: number): Promise<number> => {
  const now = clock.date();
  const rows = db.insertInto("roster_swaps").values({
    ...{ roster_id: rosterId, account_id: accountId, from_time: now, to_time: new Date(now.getTime() + 3_600_000) },
    ...{ instead_of: [null], created_by: accountId, created_time: now },
  });
  return (await rows.returning("swap_id").executeTakeFirstOrThrow()).swap_id;
};
