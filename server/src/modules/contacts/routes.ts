import type { contacts } from "@telltale/contract/domains/people/contacts";
import type { Handlers } from "../../platform/http/mount.ts";
import type { World } from "../../world.ts";
import { answerRequest, contactRequest } from "./answer.ts";
import { addContact, removeContact, repeatConsentRequest, updateContact, verifyContact } from "./change.ts";
import { contactChoices, contactPage } from "./queries.ts";

export const contactRoutes = (world: Pick<World, "db" | "clock" | "publicUrl">): Handlers<typeof contacts> => {
  const { db } = world;
  return {
    list: (filter, caller) => contactPage(db, caller.plantId, filter),
    choices: (_nothing, caller) => contactChoices(db, caller.plantId),
    add: async (input, caller) => ({ notifyUserId: await addContact(world, input, caller) }),
    update: async (input, caller) => {
      await updateContact(world, input, caller);
      return null;
    },
    ask: async ({ notifyUserId }, caller) => {
      await repeatConsentRequest(world, notifyUserId, caller);
      return null;
    },
    verify: async (input, caller) => {
      await verifyContact(world, input, caller);
      return null;
    },
    remove: async ({ notifyUserId }, caller) => {
      await removeContact(world, notifyUserId, caller);
      return null;
    },
    request: (link) => contactRequest(world, link),
    answer: async (link) => {
      await answerRequest(world, link);
      return null;
    },
  };
};
