import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { MailServer, ReceivedMail } from "../../e2e/mail-server.ts";
import type { Finding } from "../finding.ts";
import type { AlarmedUnit } from "./alarmed-unit.ts";
import type { RecordedMessage } from "./recorded.ts";

/** Longest delay of a mail whose sender process was killed, with the summaries that follow, milliseconds. */
const longestWait = 240_000;

/** Brings forward the summaries, which otherwise come every 15 minutes, until nothing waits any more. */
export const untilDelivered = async (database: pg.Client): Promise<void> => {
  const open = `SELECT count(*) AS count FROM outbox WHERE status IN ('waiting', 'sending', 'held')`;
  for (const patience = AbortSignal.timeout(longestWait); !patience.aborted; await sleep(1_000)) {
    await database.query("UPDATE outbox_folds SET due_time = to_timestamp(0)");
    const { rows } = await database.query<{ count: number }>(open);
    if (rows[0]?.count === 0) break;
  }
  // For the mail server to have taken note of the last one.
  await sleep(2_000);
};

/** All mails to these addresses. */
const received = async (mail: MailServer, addresses: readonly string[]): Promise<ReceivedMail[]> => {
  const mails: ReceivedMail[] = [];
  for (const address of addresses) while (mail.unread(address) > 0) mails.push(await mail.next(address));
  return mails;
};

/** The message's number in the outbox. */
const idOf = ({ id }: ReceivedMail): number => Number(/^<outbox-(\d+)-/.exec(id)?.[1]);

const onceFinding = (messages: readonly RecordedMessage[], mails: readonly ReceivedMail[]): Finding => {
  const times = Map.groupBy(mails, idOf);
  const repeated = [...times.values()].filter(({ length }) => length > 1).length;
  const sent = messages.filter(({ status }) => status === "sent");
  const missing = sent.filter(({ id }) => !times.has(id)).length;
  const uncertain = messages.filter(({ status, handedOver }) => status === "failed" && handedOver);
  const maySend = new Set([...sent, ...uncertain].map(({ id }) => id));
  const surplus = [...times.keys()].filter((id) => !maySend.has(id)).length;
  const left = messages.length - maySend.size - messages.filter(({ status }) => status === "listed").length;
  return {
    promise: "Each mail is sent once",
    counted: `${mails.length} mails received, ${repeated} of them twice; ${sent.length} marked sent, ${missing} of them not received; ${uncertain.length} whose delivery status the killed server never received and which are not resent; ${surplus} others, ${left} never sent`,
    isKept: mails.length > 0 && repeated + missing + surplus + left === 0,
  };
};

/** Lines of a summary that name an alert. */
const linesOf = ({ text }: ReceivedMail): number =>
  text.split("\n").filter((line) => line.includes(" - Boiler ")).length;

const listedFinding = (messages: readonly RecordedMessage[], mails: readonly ReceivedMail[]): Finding => {
  const listed = messages.filter(({ status }) => status === "listed");
  const summaries = Map.groupBy(listed, ({ digestId }) => digestId);
  const byId = new Map(mails.map((mail) => [idOf(mail), mail]));
  let [arrived, wrong] = [0, 0];
  for (const [digestId, { length }] of summaries) {
    const mail = byId.get(digestId ?? 0);
    if (!mail) continue;
    arrived += 1;
    if (!mail.subject.startsWith(`${length} alerts`) || linesOf(mail) !== length) wrong += 1;
  }
  const lost = [...summaries.keys()].filter((id) => !messages.some((message) => message.id === id)).length;
  return {
    promise: "Each message that is folded into a summary is listed there exactly once",
    counted: `${listed.length} messages in ${summaries.size} summaries, ${arrived} of them received: ${wrong} that list more or fewer, ${lost} that do not exist`,
    isKept: wrong === 0 && lost === 0,
  };
};

/** Compares the mails that arrived with the outbox, when everything is delivered. */
export const mailFindings = async (
  units: readonly AlarmedUnit[],
  messages: readonly RecordedMessage[],
  mail: MailServer,
): Promise<Finding[]> => {
  const addresses = units.flatMap(({ told }) => [told.own, ...told.steps.map(({ email }) => email)]);
  const mails = await received(mail, addresses);
  return [onceFinding(messages, mails), listedFinding(messages, mails)];
};
