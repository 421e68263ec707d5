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
import { editError, keptDashboard } from "./rules.ts";

type Target = NonNullable<Awaited<ReturnType<typeof lockedAccount>>>;
type RequestInput = Input<typeof users.edit>;

const locked = async (db: Database, input: RequestInput, caller: Caller): Promise<Target> => {
  const target = await lockedAccount(db, caller.plantId, input.accountId);
  if (!target) throw notFound();
  const parties = { caller, target: { accountId: target.account_id, roleType: target.role_type } };
  const validationError = editError(parties, input.type);
  if (validationError) throw invalid(validationError);
  if (input.version !== undefined && input.version !== target.version) throw conflict(Message.changedMeanwhile);
  return target;
};

/** Users who have joined edit their own name and number; before that the inviter may correct them. */
const savePerson = async (
  db: Database,
  target: Target,
  { firstName, lastName, cellNumber }: RequestInput,
): Promise<void> => {
  if (target.activate) return;
  await saveInvitedNames(db, target.account_id, {
    firstName: firstName ?? target.first_name,
    lastName: lastName ?? target.last_name,
    cellNumber: cellNumber ?? target.cell_number,
  });
};

/** Changes an account of the plant; absent fields stay unchanged. Applies to its open sessions at once. */
export const editUser = async (
  { db, bus, clock }: Pick<World, "db" | "bus" | "clock">,
  input: RequestInput,
  caller: Caller,
) => {
  await db.transaction().execute(async (trx) => {
    const target = await locked(trx, input, caller);
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
    await savePerson(trx, target, input);
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
