import { z } from "zod";
import { get, post } from "../../call/call.ts";
import { page, pageQuery } from "../../call/paging.ts";
import * as wire from "../../call/wire.ts";
import { ContactType, contactChannels } from "../../notification-channels.ts";
import { personNameField } from "../../text/text-fields.ts";
import { emailField, secretField } from "./person-fields.ts";

/** Whether the contact has consented. Only verified contacts are notified of alerts. (spec 2 §4) */
export const ContactStatus = { refused: -1, pending: 0, verified: 1 } as const;
export type ContactStatus = (typeof ContactStatus)[keyof typeof ContactStatus];
export const contactStatusLabels: Record<ContactStatus, string> = { "-1": "Refused", 0: "Pending", 1: "Verified" };

/** A person who can be notified of the plant's alerts at one e-mail address or one phone. */
export const ContactRow = z.object({
  notifyUserId: z.int(),
  type: z.enum(ContactType),
  firstName: z.string(),
  lastName: z.string(),
  name: z.string(),
  /** An e-mail address, or the digits of a phone number with its country code. */
  contactInfo: z.string(),
  status: z.enum(ContactStatus),
  createdTime: wire.time(),
  /** Whether it may confirm alerts by the link in its messages. */
  mayConfirm: z.boolean(),
  /** Incremented by every change. */
  version: z.int(),
});
export type ContactRow = z.output<typeof ContactRow>;

/** Runs even when other fields are invalid, so that all errors are shown together. */
const isGiven = ({ value }: { value: unknown }): boolean => typeof value === "object" && value !== null;

/** The channel of a contact type; mail's for an unknown type, which has a message of its own. */
const channelOf = (type: ContactType) =>
  contactChannels[Object.values(ContactType).includes(type) ? type : ContactType.mail];

interface Address {
  type: ContactType;
  contactInfo: string;
}

const addressError = ({ type, contactInfo }: Address): string | undefined =>
  channelOf(type).address.safeParse(contactInfo).error?.issues[0]?.message;

/** Whether the contact may confirm alerts. */
const mayConfirm = wire.oneOf([0, 1], "Send 1 if the contact may confirm alerts, 0 if not").optional();

const Added = z
  .object({
    type: wire.oneOf(ContactType, "Choose Email or Phone"),
    firstName: personNameField("First name cannot be blank"),
    lastName: personNameField("Last name cannot be blank"),
    contactInfo: z.string({ error: "Enter the correct email address" }).trim(),
    mayConfirm,
  })
  .refine((fields) => addressError(fields) === undefined, {
    error: ({ input }) => addressError(input as Address),
    path: ["contactInfo"],
    when: isGiven,
  });

/** Digits of the code that is sent to a phone. */
export const contactCodeLength = 6;

const emailOfLink = emailField("The link is incomplete: open the complete link from the e-mail");

/** A consent request: the plant that asks, and the answer so far. */
export const ContactRequest = z.object({
  plantName: z.string(),
  name: z.string(),
  status: z.enum(ContactStatus),
});
export type ContactRequest = z.output<typeof ContactRequest>;

/** Recipients of the plant's alerts in addition to its users. (spec 2 §2, §5, §7) */
export const contacts = {
  list: get("/api/notifyUser/list", {
    access: "contacts.read",
    summary: "The plant's contacts, newest first",
    query: z.object({
      ...pageQuery,
      status: wire.list(wire.anyOf(ContactStatus)).optional(),
      type: wire.list(wire.anyOf(ContactType)).optional(),
    }),
    result: page(ContactRow),
  }),
  choices: get("/api/notifyUser/findUsers", {
    access: "contacts.read",
    summary: "All contacts of the plant by name, to select an alert's recipients",
    result: z.array(ContactRow.omit({ createdTime: true })),
  }),
  add: post("/api/notifyUser/add", {
    access: "contacts.write",
    summary: "Adds a contact and requests its consent: by mail with a link valid for seven days, by SMS with a code",
    body: Added,
    result: z.object({ notifyUserId: z.int() }),
  }),
  update: post("/api/notifyUser/update", {
    access: "contacts.write",
    summary: "Changes a contact's name and whether it may confirm alerts; its address stays, because it has consented",
    body: z.object({
      notifyUserId: wire.int(),
      firstName: personNameField("First name cannot be blank"),
      lastName: personNameField("Last name cannot be blank"),
      mayConfirm,
      version: wire.int().optional(),
    }),
    result: z.null(),
  }),
  ask: post("/api/notifyUser/resend", {
    access: "contacts.write",
    summary: "Repeats the request to a contact that has not answered; earlier codes become invalid",
    body: z.object({ notifyUserId: wire.int() }),
    result: z.null(),
  }),
  verify: post("/api/notifyUser/verify", {
    access: "contacts.write",
    summary: "Verifies a phone by the code sent to it; after five wrong attempts a new code is required",
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
    summary: "Deletes a contact; it is no longer notified",
    query: z.object({ notifyUserId: wire.int() }),
    result: z.null(),
  }),
  request: get("/api/notifyUser/request", {
    access: "public",
    summary: "The plant that requests consent, for the page of a mailed link; opening the link answers nothing",
    query: z.object({ accessToken: secretField, email: emailOfLink }),
    result: ContactRequest,
  }),
  answer: post("/api/notifyUser/answer", {
    access: "public",
    summary:
      "Answers a consent request with a mailed link: 1 accepts, -1 refuses; the link in an alert can only refuse",
    body: z.object({
      accessToken: secretField,
      email: emailOfLink,
      status: wire.oneOf(
        wire.only(ContactStatus, [ContactStatus.verified, ContactStatus.refused]),
        "Choose whether you want alerts",
      ),
    }),
    result: z.null(),
  }),
};
