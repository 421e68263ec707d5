import { Role } from "@telltale/contract/permissions";

/** The caller, and the account to change. */
interface Parties {
  caller: { accountId: number; plantId: number; roleType: number };
  target: { accountId: number; roleType: number };
}

/**
 * Why the caller can neither change nor remove this account. Groups at the provider of single sign-on may make further owners, whom an owner manages.
 */
const ownerError = ({ caller, target }: Parties): string | undefined =>
  target.roleType === Role.owner && caller.roleType !== Role.owner
    ? "Only an owner can change or delete another owner"
    : undefined;

/** Whether the plant was opened with this account. It stays, as an owner: no plant is left without one. */
const isPlants = ({ caller, target }: Parties): boolean => target.accountId === caller.plantId;

/** Why the caller cannot change this account; undefined when they can. (spec 2 §6) */
export const editError = (parties: Parties, newRole?: number): string | undefined => {
  const { caller, target } = parties;
  const error = ownerError(parties);
  if (error || newRole === undefined || newRole === target.roleType) return error;
  if (isPlants(parties)) return "The User Type of the account that owns this plant can't be changed";
  return target.accountId === caller.accountId
    ? "You can't change your own User Type. Ask another owner or admin"
    : undefined;
};

/** Why the caller cannot remove this account; undefined when they can. */
export const removeError = (parties: Parties): string | undefined => {
  if (isPlants(parties)) return "The account that owns this plant can't be deleted";
  const error = ownerError(parties);
  if (error) return error;
  const { caller, target } = parties;
  return target.accountId === caller.accountId
    ? "You can't delete your own account. Ask another owner or admin"
    : undefined;
};

/** A user as the plant's users see them. */
export interface Person {
  email: string;
  firstName: string;
  lastName: string;
  cellNumber: string;
}

/** Why these details of a user cannot be saved; undefined when they can. Users who have joined change name and number themselves. */
export const personError = (before: Person, after: Person, hasJoined: boolean): string | undefined => {
  if (after.email.toLowerCase() !== before.email.toLowerCase())
    return "An email address can't be changed. Delete the user and add one with the new address";
  const isSame =
    after.firstName === before.firstName &&
    after.lastName === before.lastName &&
    after.cellNumber === before.cellNumber;
  return hasJoined && !isSame ? "Only the user can change the name and the phone number of the profile" : undefined;
};

/** The dashboard to keep: only viewers have their own; -1 means none. (spec 2 §6) */
export const keptDashboard = (roleType: number, dashboardId: number | null): number | null =>
  roleType !== Role.viewer || dashboardId === -1 ? null : dashboardId;
