import { givenRoles } from "@telltale/contract/domains/people/users";
import { roleNames } from "@telltale/contract/permissions";

/** Labels of the user types, by number. (spec 2 §6) */
export const typeLabels: Readonly<Record<number, string>> = Object.fromEntries(
  givenRoles.map((role) => [role, roleNames[role]]),
);
