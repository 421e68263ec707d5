export { formatMessage, openSenders } from "./channels/index.ts";
export { webhookSchemes } from "./channels/post.ts";
export { endPushes } from "./channels/push.ts";
export { pushServiceOf, vapidKeys } from "./channels/push-services.ts";
export { type SmsCharging, smsAccountOf } from "./channels/sms.ts";
export { postToWebhook } from "./channels/webhook.ts";
export { addressesOf, pinnedTo, refusalOfAddress } from "./channels/webhook-address.ts";
export { alertEvent } from "./channels/webhook-bodies.ts";
export type { AlertFacts } from "./letters/alert-facts.ts";
export { alertLink, type LinkMessage, messageOfLink } from "./letters/confirm-link.ts";
export type { Letter } from "./letters/letter.ts";
export { alertLetterOf } from "./letters/message.ts";
export { alertFacts, isSilenced, joinNames, joinRule } from "./outbox/alert-facts-sql.ts";
export {
  type AlertMessage,
  type Claim,
  ownRecipientsOf,
  type Recipient,
  writeAlertMessages,
} from "./outbox/alert-messages.ts";
export { createDelivery } from "./outbox/delivery.ts";
export { releaseWebhook } from "./outbox/failing-webhooks.ts";
export {
  alertColumns,
  insertAlertsWithNotifications,
  insertNotificationsOf,
  insertNotificationsOfPast,
} from "./outbox/insert-alerts-with-notifications.ts";
export { queueMail, queueText } from "./outbox/outbox.ts";
export { failedDeliveries, settle } from "./outbox/queries.ts";
export { recipientName } from "./outbox/recipient-name-sql.ts";
