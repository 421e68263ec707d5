import { ContactStatus } from "@telltale/contract/domains/people/contacts";
import { ContactType } from "@telltale/contract/notification-channels";
import type { World } from "../world.ts";

interface Wanted {
  type?: ContactType;
  name?: string;
  contactInfo?: string;
  status?: ContactStatus;
}

type Needs = Pick<World, "db" | "clock">;

let count = 0;

/** Creates a contact of the owner's plant, by default a verified mail contact. Returns its id. */
export const aContact = async (
  { db, clock }: Needs,
  owner: { plantId: number },
  { type = ContactType.mail, name = "Nora", contactInfo, status = ContactStatus.verified }: Wanted = {},
): Promise<number> => {
  count += 1;
  const { contact_id } = await db
    .insertInto("contacts")
    .values({
      plant_id: owner.plantId,
      type,
      first_name: name,
      last_name: "Tester",
      contact_info:
        contactInfo ?? (type === ContactType.mail ? `nora.${count}@example.test` : `1202555${1000 + count}`),
      status,
      stop_key: `stop ${count}`,
      created_by: null,
      created_time: clock.date(),
    })
    .returning("contact_id")
    .executeTakeFirstOrThrow();
  return contact_id;
};
