import { z } from "zod";
import { get, post } from "../../call/call.ts";
import { page, pageQuery } from "../../call/paging.ts";
import * as wire from "../../call/wire.ts";
import { personNameField } from "../../text/text-fields.ts";
import { emailField, secretField } from "./person-fields.ts";

/** How a contact is reached. (spec 2 §3) */
export const ContactType = { mail: 1, phone: 2 } as const;
export type ContactType = (typeof ContactType)[keyof typeof ContactType];
export const contactTypeLabels: Record<ContactType, string> = { 1: "Email", 2: "Phone" };

/** Whether whoever is reached there has agreed. Only a verified contact is told of alerts. (spec 2 §4) */
export const ContactStatus = { refused: -1, pending: 0, verified: 1 } as const;
export type ContactStatus = (typeof ContactStatus)[keyof typeof ContactStatus];
export const contactStatusLabels: Record<ContactStatus, string> = { "-1": "Refused", 0: "Pending", 1: "Verified" };

/** Somebody whom the plant's alerts may be told, by one mail address or one phone. */
export const ContactRow = z.object({
  notifyUserId: z.int(),
  type: z.enum(ContactType),
  firstName: z.string(),
  lastName: z.string(),
  name: z.string(),
  /** An e-mail address, or the digits of a number with its country code. */
  contactInfo: z.string(),
  status: z.enum(ContactStatus),
  createdTime: wire.time(),
});
export type ContactRow = z.output<typeof ContactRow>;

/** Most digits of a number with its country code (E.164). A person's own number has at most 11; alerts go to every country. */
export const longestPhone = 15;

const isPhone = /^[1-9]\d{6,14}$/;
const address = emailField("Enter the correct email address");

/** Said together with what is wrong with the other fields, not after they are right. */
const isGiven = ({ value }: { value: unknown }): boolean => typeof value === "object" && value !== null;

const Added = z
  .object({
    type: wire.oneOf(Object.values(ContactType), "Choose Email or Phone"),
    firstName: personNameField("First name cannot be blank"),
    lastName: personNameField("Last name cannot be blank"),
    contactInfo: z.string({ error: "Enter the correct email address" }).trim(),
  })
  .refine(({ type, contactInfo }) => type === ContactType.phone || address.safeParse(contactInfo).success, {
    error: "Enter the correct email address",
    path: ["contactInfo"],
    when: isGiven,
  })
  .refine(({ type, contactInfo }) => type !== ContactType.phone || isPhone.test(contactInfo), {
    error: "Enter the correct phone number",
    path: ["contactInfo"],
    when: isGiven,
  });

/** Digits of the code that a phone is sent. */
export const contactCodeLength = 6;

const emailOfLink = emailField("The link is incomplete: open it as it stands in the mail");

/** Who asks, and what has been answered. */
export const ContactRequest = z.object({
  plantName: z.string(),
  name: z.string(),
  status: z.enum(ContactStatus),
});
export type ContactRequest = z.output<typeof ContactRequest>;

/** Whom the plant's alerts are told, besides its users. (spec 2 §2, §5, §7) */
export const contacts = {
  list: get("/api/notifyUser/list", {
    access: "contacts.read",
    summary: "The plant's contacts, the latest first",
    query: z.object({
      ...pageQuery,
      status: wire.list(wire.int()).optional(),
      type: wire.list(wire.int()).optional(),
    }),
    result: page(ContactRow),
  }),
  choices: get("/api/notifyUser/findUsers", {
    access: "contacts.read",
    summary: "All contacts of the plant by name, to choose the recipients of an alert from",
    result: z.array(ContactRow.omit({ createdTime: true })),
  }),
  add: post("/api/notifyUser/add", {
    access: "contacts.write",
    summary: "Adds a contact and asks it: a mail address by a link that works for seven days, a phone by a code",
    body: Added,
    result: z.object({ notifyUserId: z.int() }),
  }),
  ask: post("/api/notifyUser/resend", {
    access: "contacts.write",
    summary: "Asks a contact that has not answered once more; codes sent before work no longer",
    body: z.object({ notifyUserId: wire.int() }),
    result: z.null(),
  }),
  verify: post("/api/notifyUser/verify", {
    access: "contacts.write",
    summary: "Verifies a phone by the code it was sent; after five wrong ones it takes another code",
    body: z.object({
      notifyUserId: wire.int(),
      code: z
        .string({ error: "Enter the 6 digits of the code" })
        .trim()
        .regex(/^\d{6}$/, { error: "Enter the 6 digits of the code" }),
    }),
    result: z.null(),
  }),
  remove: get("/api/notifyUser/delete", {
    access: "contacts.write",
    summary: "Deletes a contact; it is told of nothing any more",
    query: z.object({ notifyUserId: wire.int() }),
    result: z.null(),
  }),
  request: get("/api/notifyUser/request", {
    access: "public",
    summary: "Who asks, for whoever opens a mailed link; opening it answers nothing",
    query: z.object({ accessToken: secretField, email: emailOfLink }),
    result: ContactRequest,
  }),
  answer: post("/api/notifyUser/answer", {
    access: "public",
    summary: "Says by a mailed link whether alerts may be sent there: 1 or -1; the link in an alert can only stop them",
    body: z.object({
      accessToken: secretField,
      email: emailOfLink,
      status: wire.oneOf([ContactStatus.verified, ContactStatus.refused], "Choose whether you want alerts"),
    }),
    result: z.null(),
  }),
};
