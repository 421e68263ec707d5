import type { Input } from "@telltale/contract/call/call";
import { Message } from "@telltale/contract/call/codes";
import type { users } from "@telltale/contract/domains/people/users";
import { audit } from "../../platform/database/audit.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { conflict, invalid, notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { World } from "../../world.ts";
import { saveInvitedNames } from "../accounts/index.ts";
import { arePlants, assignAlarms, assignedAlarms, lockedAccount } from "./queries.ts";
import { editError, keptDashboard, type Person, personError } from "./rules.ts";

type Target = NonNullable<Awaited<ReturnType<typeof lockedAccount>>>;
type RequestInput = Input<typeof users.edit>;

const personOf = ({ email, first_name, last_name, cell_number }: Target): Person => ({
  email,
  firstName: first_name,
  lastName: last_name,
  cellNumber: cell_number,
});

/** The account to edit, locked, with its user's details after the edit; throws when the edit is not allowed. */
const locked = async (
  db: Database,
  input: RequestInput,
  caller: Caller,
): Promise<{ target: Target; person: Person }> => {
  const target = await lockedAccount(db, caller.plantId, input.accountId);
  if (!target) throw notFound();
  const parties = { caller, target: { accountId: target.account_id, roleType: target.role_type } };
  const before = personOf(target);
  const person = {
    email: input.email ?? before.email,
    firstName: input.firstName ?? before.firstName,
    lastName: input.lastName ?? before.lastName,
    cellNumber: input.cellNumber ?? before.cellNumber,
  };
  const validationError = editError(parties, input.type) ?? personError(before, person, target.activate);
  if (validationError) throw invalid(validationError);
  if (input.version !== undefined && input.version !== target.version) throw conflict(Message.changedMeanwhile);
  return { target, person };
};

/** Changes an account of the plant; absent fields stay unchanged. Applies to its open sessions at once. */
export const editUser = async (
  { db, bus, clock }: Pick<World, "db" | "bus" | "clock">,
  input: RequestInput,
  caller: Caller,
) => {
  await db.transaction().execute(async (trx) => {
    const { target, person } = await locked(trx, input, caller);
    const before = { roleType: target.role_type, dashboardId: target.dashboard_id };
    const alarmsBefore = await assignedAlarms(trx, target.account_id);
    const roleType = input.type ?? before.roleType;
    const dashboardId = keptDashboard(roleType, input.dashboardId ?? before.dashboardId);
    const alarmIds = input.alarmIds ?? alarmsBefore;
    if (!(await arePlants(trx, caller.plantId, { dashboardId, alarmIds }))) throw notFound();
    await trx
      .updateTable("accounts")
      .set({ role_type: roleType, dashboard_id: dashboardId, version: target.version + 1 })
      .where("account_id", "=", target.account_id)
      .execute();
    await assignAlarms(trx, target.account_id, alarmIds);
    // Those of a user who has joined are unchanged: see `personError`.
    if (!target.activate) await saveInvitedNames(trx, target.account_id, person);
    const detail = {
      accountId: target.account_id,
      before: { ...before, alarmIds: alarmsBefore },
      after: { roleType, dashboardId, alarmIds },
    };
    const { plantId, userId } = caller;
    await audit(trx, { plantId, userId, action: "user.edit", detail, now: clock.date() });
  });
  bus.emit("rightsChange", { accountId: input.accountId });
};
