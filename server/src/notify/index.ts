export { createMailSender } from "./channels/mail.ts";
export { createSmsSender, type SmsCharging, smsAccountOf } from "./channels/sms.ts";
export { alertLetter } from "./letters/alert-letter.ts";
export type { Letter } from "./letters/letter.ts";
export { alertOf, wordsOf } from "./letters/message.ts";
export { createDelivery } from "./outbox/delivery.ts";
export { insertAlertsWithNotifications } from "./outbox/insert-alerts-with-notifications.ts";
export { queueMail, queueSms } from "./outbox/outbox.ts";
export { settle } from "./outbox/queries.ts";
