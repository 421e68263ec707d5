import type { Role } from "@telltale/contract/permissions";

/** A user of a plant: the person and the account there. */
export interface PlantUser {
  userId: number;
  accountId: number;
}

/** The users of a plant by role. */
export type People = ReadonlyMap<Role, PlantUser>;

/** The user with a role; throws when the plan has none. */
export const holderOf = (people: People, role: Role): PlantUser => {
  const found = people.get(role);
  if (!found) throw new Error(`The demonstration has no user of role ${role}`);
  return found;
};
