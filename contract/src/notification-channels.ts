import { z } from "zod";
import { emailField } from "./domains/people/person-fields.ts";

/** Kind of a message, by the channel that sends it. */
export const MessageKind = { mail: 1, sms: 2 } as const;
export type MessageKind = (typeof MessageKind)[keyof typeof MessageKind];

/** `type` of a contact: the kind of the messages that reach it. (spec 2 §3) */
export const ContactType = { mail: MessageKind.mail, phone: MessageKind.sms } as const;
export type ContactType = (typeof ContactType)[keyof typeof ContactType];

/** Maximum digits of a phone number with its country code (E.164). A user's own number has at most 11; alert SMS can go to any country. */
export const longestPhone = 15;

/** A channel that notifications are sent by, and the contacts that it reaches. */
export interface NotificationChannelDescriptor {
  /** Of a message within a sentence: `mail`. */
  name: string;
  /** Of a message by itself: `Mail`. */
  label: string;
  /** Type of a contact in the specification's words: `Email`. */
  contactLabel: string;
  /** Label and hint of the address field. */
  field: { label: string; description: string; input: "email" | "digits" };
  /** Validates a contact's address. */
  address: z.ZodType<string>;
  /** How a new contact agrees: by a link that it opens, or by a code that the person who adds it enters. */
  consent: "link" | "code";
}

const phone = "Enter the correct phone number";

/** Every channel. A new kind does not compile without a row. */
export const notificationChannels: Readonly<Record<MessageKind, NotificationChannelDescriptor>> = {
  [MessageKind.mail]: {
    name: "mail",
    label: "Mail",
    contactLabel: "Email",
    field: {
      label: "Email",
      description: "A link is mailed there. Alerts follow when it was confirmed",
      input: "email",
    },
    address: emailField("Enter the correct email address"),
    consent: "link",
  },
  [MessageKind.sms]: {
    name: "SMS",
    label: "SMS",
    contactLabel: "Phone",
    field: {
      label: "Phone",
      description: "Digits only, with the country code: 1 202 555 0141 is 12025550141",
      input: "digits",
    },
    address: z.string({ error: phone }).regex(/^[1-9]\d{6,14}$/, { error: phone }),
    consent: "code",
  },
};

const labelled = (labelOf: (channel: NotificationChannelDescriptor) => string) =>
  Object.fromEntries(Object.entries(notificationChannels).map(([kind, channel]) => [kind, labelOf(channel)])) as Record<
    MessageKind,
    string
  >;

export const messageKindLabels = labelled(({ label }) => label);
export const contactTypeLabels: Record<ContactType, string> = labelled(({ contactLabel }) => contactLabel);
