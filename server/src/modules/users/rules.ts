import { Role } from "@telltale/contract/permissions";

/** The caller, and the account to change. */
interface Parties {
  caller: { accountId: number; roleType: number };
  target: { accountId: number; roleType: number };
}

/** Why the caller cannot change this account; undefined when they can. (spec 2 §6) */
export const editError = ({ caller, target }: Parties, newRole?: number): string | undefined => {
  if (target.roleType === Role.owner) return "The owner's own account can't be changed here";
  if (target.accountId === caller.accountId && newRole !== undefined && newRole !== target.roleType)
    return "You can't change your own User Type. Ask another owner or admin";
  return undefined;
};

/** Why the caller cannot remove this account; undefined when they can. */
export const removeError = ({ caller, target }: Parties): string | undefined => {
  if (target.roleType === Role.owner) return "The owner can't be deleted";
  if (target.accountId === caller.accountId) return "You can't delete your own account. Ask another owner or admin";
  return undefined;
};

/** The dashboard to keep: only viewers have their own; -1 means none. (spec 2 §6) */
export const keptDashboard = (roleType: number, dashboardId: number | null): number | null =>
  roleType !== Role.viewer || dashboardId === -1 ? null : dashboardId;
