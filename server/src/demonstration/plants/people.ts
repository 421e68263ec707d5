import type { Role } from "@telltale/contract/permissions";

/** Somebody who works in a plant: the person, and the account there. */
export interface Somebody {
  userId: number;
  accountId: number;
}

/** Who has which role in a plant. */
export type People = ReadonlyMap<Role, Somebody>;

/** Who holds a role; a plant of the demonstration that has nobody for it can't be made. */
export const holderOf = (people: People, role: Role): Somebody => {
  const found = people.get(role);
  if (!found) throw new Error(`The demonstration has nobody of role ${role}`);
  return found;
};
