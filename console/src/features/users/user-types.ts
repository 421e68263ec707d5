import { assignableRoles } from "@telltale/contract/domains/people/users";
import { roleNames } from "@telltale/contract/permissions";

/** Labels of the user types, by number. (spec 2 §6) */
export const typeLabels: Readonly<Record<number, string>> = Object.fromEntries(
  assignableRoles.map((role) => [role, roleNames[role]]),
);
