import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@telltale/contract/call/client";
import { alarms } from "@telltale/contract/domains/alarms";
import { AlertClass } from "@telltale/contract/domains/alerts";
import { ContactStatus, contacts } from "@telltale/contract/domains/people/contacts";
import type pg from "pg";
import type { MailServer } from "../e2e/mail-server.ts";
import { linkOf } from "../e2e/mailing.ts";
import type { RunningServer } from "../e2e/server-process.ts";
import { addUnit, idsOf } from "../e2e/unit.ts";
import type { Finding } from "./finding.ts";
import { type Member, owner } from "./fleet.ts";
import { startHttpDevice } from "./numbered-device.ts";
import { isOccurrence, type Numbers, timedMessage } from "./numbers.ts";

const recipient = "nora.quist@riverside.example";

/** Adds a contact that has agreed to receive mail. */
export const addContact = async (client: Client, mail: MailServer, email: string): Promise<number> => {
  const person = { type: 1, firstName: "Nora", lastName: "Quist", contactInfo: email } as const;
  const { notifyUserId } = await client(contacts.add, person);
  const { searchParams } = new URL(linkOf(await mail.next(email)));
  const accessToken = searchParams.get("accessToken") ?? "";
  await client(contacts.answer, { email, accessToken, status: ContactStatus.verified });
  return notifyUserId;
};

/** An HTTP device whose alerts are all mailed to a contact. With several servers each message goes to the next one. */
export const startMailedDevice = async (
  [server, ...others]: readonly [RunningServer, ...RunningServer[]],
  client: Client,
  mail: MailServer,
): Promise<Member> => {
  const unit = await addUnit(server, { owner: owner.email, name: "Mailed" });
  const { deviceId, channels } = await idsOf(client, unit.deviceSnId);
  const notifyUserIds = [await addContact(client, mail, recipient)];
  const rule = { alarmName: "Boiler hot", alarmClass: AlertClass.custom, deviceId, deviceChannelId: channels.AI1 };
  await client(alarms.add, { ...rule, type: 1, alarmValue: 70, alarmHysteresis: 1, notifyUserIds } as never);
  const numbers: Numbers = { since: Date.now(), codes: ["AI1"], occurrenceEvery: 10 };
  const messageAt = (n: number) => timedMessage(numbers, n);
  const addresses = [server, ...others].map(({ baseURL }) => baseURL);
  // Sequentially, so that no message is late and every occurrence raises an alert. With several servers one that stands still is soon given up.
  const howOften = { inFlight: 1, every: 25, ...(others.length > 0 ? { timeout: 1_000 } : {}) };
  return { unit, channels, numbers, device: startHttpDevice(addresses, unit, messageAt, howOften) };
};

/** Longest delay of a mail whose sender process was killed, with a margin, milliseconds. */
const longestWait = 150_000;

const undelivered = `SELECT count(*) FROM outbox WHERE status IN ('waiting', 'sending')`;
/** Messages about alerts to the recipient, with those that an alert is raised and those that are in a summary, or wait for one, and the summaries. */
const outcomes = `
  SELECT count(*) FILTER (WHERE status = 'sent') AS sent, count(*) FILTER (WHERE status = 'failed' AND handed_over) AS uncertain, count(*) AS all,
         count(*) FILTER (WHERE status = 'listed' OR status = 'held') AS folded, count(*) FILTER (WHERE alert_id IS NOT NULL AND round = 0) AS raised,
         count(DISTINCT alert_id) FILTER (WHERE round = 0) AS alerts
    FROM outbox WHERE recipient = $1 AND (alert_id IS NOT NULL OR body ? 'digest' OR subject ~ '^[0-9]+ alerts$')`;
interface Outcomes {
  sent: number;
  uncertain: number;
  all: number;
  folded: number;
  raised: number;
  alerts: number;
}
const none: Outcomes = { sent: 0, uncertain: 0, all: 0, folded: 0, raised: 0, alerts: 0 };
const raised = `SELECT count(*) FROM alerts WHERE alarm_class = 1 AND channel_id = $1`;

const numberFrom = async (database: pg.Client, sql: string, values: unknown[] = []): Promise<number> =>
  (await database.query<{ count: number }>(sql, values)).rows[0]?.count ?? 0;

/** How often each mail was received, by Message-ID. */
const received = async (mail: MailServer): Promise<number[]> => {
  const times = new Map<string, number>();
  while (mail.unread(recipient) > 0) {
    const { id } = await mail.next(recipient);
    times.set(id, (times.get(id) ?? 0) + 1);
  }
  return [...times.values()];
};

/** Waits for the last mail, then counts. */
export const mailFindings = async (database: pg.Client, member: Member, mail: MailServer): Promise<Finding[]> => {
  const { device, channels, numbers } = member;
  if (!numbers) throw new Error("The mailed device says times");
  const patience = AbortSignal.timeout(longestWait);
  while (!patience.aborted && (await numberFrom(database, undelivered)) > 0) await sleep(500);
  await sleep(2_000);
  const occurrences = Array.from({ length: device.sent() }, (_, n) => n).filter((n) => isOccurrence(numbers, n)).length;
  const alerts = await numberFrom(database, raised, [channels.AI1]);
  const [row = none] = (await database.query<Outcomes>(outcomes, [recipient])).rows;
  const { sent, uncertain, all, folded } = row;
  const times = await received(mail);
  const twice = times.filter((count) => count > 1).length;
  const counted = `${occurrences} occurrences, ${alerts} alerts, ${row.raised} messages that one was raised, about ${row.alerts} of them`;
  const came = `${times.length} mails received, ${twice} of them twice; ${sent} marked sent, ${folded} folded into summaries, ${uncertain} whose delivery status the killed server never received and which are not resent`;
  const isAccounted = sent <= times.length && times.length <= sent + uncertain && sent + uncertain + folded === all;
  const isOnce = occurrences === alerts && alerts === row.alerts && row.alerts === row.raised;
  return [
    { promise: "Each alert is exactly one message to its recipient", counted, isKept: isOnce },
    { promise: "Each mail is sent once", counted: came, isKept: twice === 0 && isAccounted },
  ];
};
