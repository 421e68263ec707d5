import { MessageKind } from "@telltale/contract/notification-channels";
import type { Database } from "../../platform/database/schema/schema.ts";
import type { QueuedMessage } from "../outbox/queries.ts";
import type { FormattedMessage, NotificationChannel } from "./channel.ts";
import { createMailSender, formatMail, mailChannel } from "./mail.ts";
import { formatPush, pushChannel } from "./push.ts";
import { createSmsSender, formatSms, smsAccountOf, smsChannel } from "./sms.ts";
import { formatWebhook, webhookChannel } from "./webhook.ts";

/** The senders that have an account, and what else the channels need. */
export type ChannelNeeds = Parameters<typeof mailChannel>[0] &
  Parameters<typeof smsChannel>[0] &
  Parameters<typeof pushChannel>[0] &
  Parameters<typeof webhookChannel>[0];

/** The configured accounts. */
interface Accounts {
  MAIL_URL?: string | undefined;
  /** Sender address of mail. */
  mailFrom: string;
  SMS_URL?: string | undefined;
}

/** Opens a sender for each configured account. Nothing is connected before the first message. */
export const openSenders = ({ MAIL_URL, mailFrom, SMS_URL }: Accounts): Pick<ChannelNeeds, "mail" | "sms"> => {
  const smsAccount = SMS_URL ? smsAccountOf(SMS_URL) : undefined;
  return {
    mail: MAIL_URL ? createMailSender(MAIL_URL, mailFrom) : undefined,
    sms: smsAccount && createSmsSender(smsAccount),
  };
};

interface Channel {
  create(needs: ChannelNeeds, publicUrl: string): NotificationChannel;
  /** Formats a message of the outbox as its recipient reads it. */
  format(db: Database, message: QueuedMessage, publicUrl: string): Promise<FormattedMessage>;
}

/** Every channel. A new kind of message does not compile without a row. */
const channels: Readonly<Record<MessageKind, Channel>> = {
  [MessageKind.mail]: { create: mailChannel, format: formatMail },
  [MessageKind.sms]: { create: smsChannel, format: formatSms },
  [MessageKind.webhook]: { create: webhookChannel, format: formatWebhook },
  [MessageKind.push]: { create: pushChannel, format: formatPush },
};

/** Creates the channel of each kind of message. */
export const createChannels = (needs: ChannelNeeds & { publicUrl: string }): [MessageKind, NotificationChannel][] =>
  Object.values(MessageKind).map((kind) => [kind, channels[kind].create(needs, needs.publicUrl)]);

/** Formats a message of the outbox as its recipient reads it. */
export const formatMessage = (db: Database, message: QueuedMessage, publicUrl: string): Promise<FormattedMessage> =>
  channels[message.kind].format(db, message, publicUrl);
