import { z } from "zod";
import { emailField } from "./domains/people/person-fields.ts";

/** Kind of a message, by the channel that sends it. */
export const MessageKind = { mail: 1, sms: 2, webhook: 3, push: 4 } as const;
export type MessageKind = (typeof MessageKind)[keyof typeof MessageKind];

/** `type` of a contact: the kind of the messages that reach it. (spec 2 §3) */
export const ContactType = { mail: MessageKind.mail, phone: MessageKind.sms } as const;
export type ContactType = (typeof ContactType)[keyof typeof ContactType];

/** Maximum digits of a phone number with its country code (E.164). A user's own number has at most 11; alert SMS can go to any country. */
export const longestPhone = 15;

/** A channel that notifications are sent by. */
interface NotificationChannelDescriptor {
  /** Of a message within a sentence: `mail`. */
  name: string;
  /** Of a message by itself: `Mail`. */
  label: string;
}

/** A channel that reaches contacts. */
interface ContactChannelDescriptor extends NotificationChannelDescriptor {
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

/** Every channel that reaches contacts. */
export const contactChannels: Readonly<Record<ContactType, ContactChannelDescriptor>> = {
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

/** Every channel. A new kind does not compile without a row. */
export const notificationChannels: Readonly<Record<MessageKind, NotificationChannelDescriptor>> = {
  ...contactChannels,
  [MessageKind.webhook]: { name: "webhook", label: "Webhook" },
  [MessageKind.push]: { name: "push", label: "Push" },
};

const labelled = <K extends number, D>(channels: Readonly<Record<K, D>>, labelOf: (channel: D) => string) =>
  Object.fromEntries(Object.entries<D>(channels).map(([kind, channel]) => [kind, labelOf(channel)])) as Record<
    K,
    string
  >;

export const messageKindLabels = labelled(notificationChannels, ({ label }) => label);
export const contactTypeLabels = labelled(contactChannels, ({ contactLabel }) => contactLabel);
