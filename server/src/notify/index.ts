export { createMailSender } from "./channels/mail.ts";
export { createSmsSender, smsAccountOf } from "./channels/sms.ts";
export { alertLetter } from "./letters/alert-letter.ts";
export { type Letter, linksOf, plainText } from "./letters/letter.ts";
export { alertOf, letterOf, smsOf } from "./letters/message.ts";
export { createDelivery, type SmsCharging } from "./outbox/delivery.ts";
export { insertAlertsWithNotifications } from "./outbox/insert-alerts-with-notifications.ts";
export { queueMail, queueSms } from "./outbox/outbox.ts";
export { settle } from "./outbox/queries.ts";
