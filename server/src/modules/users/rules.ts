import { Role } from "@telltale/contract/permissions";

/** The caller, and the account to change. */
interface Parties {
  caller: { accountId: number; plantId: number; roleType: number };
  target: { accountId: number; roleType: number };
}

/**
 * Why the caller can neither change nor remove this account. Groups at the provider of single sign-on may make further owners, whom an owner manages; the
 * account with which the plant was opened stays, so that no plant is left without an owner.
 */
const ownerError = ({ caller, target }: Parties): string | undefined => {
  if (target.accountId === caller.plantId) return "The account that owns this plant can't be changed or deleted here";
  if (target.roleType === Role.owner && caller.roleType !== Role.owner)
    return "Only an owner can change or delete another owner";
  return undefined;
};

/** Why the caller cannot change this account; undefined when they can. (spec 2 §6) */
export const editError = (parties: Parties, newRole?: number): string | undefined => {
  const { caller, target } = parties;
  const error = ownerError(parties);
  if (error) return error;
  if (target.accountId === caller.accountId && newRole !== undefined && newRole !== target.roleType)
    return "You can't change your own User Type. Ask another owner or admin";
  return undefined;
};

/** Why the caller cannot remove this account; undefined when they can. */
export const removeError = (parties: Parties): string | undefined => {
  const error = ownerError(parties);
  if (error) return error;
  const { caller, target } = parties;
  return target.accountId === caller.accountId
    ? "You can't delete your own account. Ask another owner or admin"
    : undefined;
};

/** The dashboard to keep: only viewers have their own; -1 means none. (spec 2 §6) */
export const keptDashboard = (roleType: number, dashboardId: number | null): number | null =>
  roleType !== Role.viewer || dashboardId === -1 ? null : dashboardId;
