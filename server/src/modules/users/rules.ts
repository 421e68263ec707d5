import { Role } from "@telltale/contract/permissions";

/** Whoever changes an account, and the account that is changed. */
interface Parties {
  caller: { accountId: number; roleType: number };
  target: { accountId: number; roleType: number };
}

/** Why this account can't be changed by the caller; undefined when it can. (spec 2 §6) */
export const editError = ({ caller, target }: Parties, newRole?: number): string | undefined => {
  if (target.roleType === Role.owner) return "The owner's own account can't be changed here";
  if (target.accountId === caller.accountId && newRole !== undefined && newRole !== target.roleType)
    return "Nobody can change their own User Type. Please ask somebody else";
  return undefined;
};

/** Why this account can't be taken out by the caller; undefined when it can. */
export const removeError = ({ caller, target }: Parties): string | undefined => {
  if (target.roleType === Role.owner) return "The owner can't be deleted";
  if (target.accountId === caller.accountId) return "Nobody can delete their own account. Please ask somebody else";
  return undefined;
};

/** The dashboard to keep: only a viewer has one of its own; -1 means none. (spec 2 §6) */
export const keptDashboard = (roleType: number, dashboardId: number | null): number | null =>
  roleType !== Role.viewer || dashboardId === -1 ? null : dashboardId;
