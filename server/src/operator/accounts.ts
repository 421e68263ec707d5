import { Role } from "@telltale/contract/permissions";
import { userByEmail } from "../accounts/queries.ts";
import type { Database } from "../world.ts";
import { Complaint } from "./complaint.ts";

export const userOf = async (db: Database, email: string) => {
  const user = await userByEmail(db, email);
  if (!user) throw new Complaint(`There is no user ${email}`);
  return user;
};

/** The plant that the user owns; `plant` chooses by name or number when there are several. */
export const plantOf = async (db: Database, ownerEmail: string, plant?: string) => {
  const { user_id: userId } = await userOf(db, ownerEmail);
  const owned = await db
    .selectFrom("accounts as a")
    .innerJoin("plants as p", "p.plant_id", "a.plant_id")
    .select(["p.plant_id", "p.name", "a.account_no"])
    .where("a.user_id", "=", userId)
    .where("a.role_type", "=", Role.owner)
    .orderBy("p.plant_id")
    .execute();
  const wanted = plant === undefined ? owned : owned.filter((one) => one.name === plant || one.account_no === plant);
  const [only, second] = wanted;
  if (!only) throw new Complaint(`${ownerEmail} owns no plant${plant ? ` ${plant}` : ""}`);
  if (second)
    throw new Complaint(
      `${ownerEmail} owns several plants: choose with --plant ${owned.map((one) => `'${one.name}'`).join(" or ")}`,
    );
  return { plantId: only.plant_id, userId };
};
