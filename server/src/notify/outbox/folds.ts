import { AlertPriority } from "@telltale/contract/domains/alerts";
import type { MessageKind } from "@telltale/contract/notification-channels";
import { sql } from "kysely";
import type { Database } from "../../platform/database/schema/schema.ts";
import type { AlertFacts } from "../letters/alert-facts.ts";
import type { DigestFacts } from "../letters/digest-letter.ts";
import { alertOf } from "../letters/message.ts";
import { Hold } from "./hold.ts";
import type { QueuedMessage } from "./queries.ts";
import { quietUntil } from "./quiet-hours.rules.ts";

/** Messages about alerts to one address within `period` beyond which they are folded; those of urgent alerts may be more. */
const most = 10;
const mostUrgent = 20;
const period = "10 minutes";
/** How often an address gets a summary during a flood. */
const pace = "15 minutes";

/**
 * Holds messages about alerts to addresses that get too many of them: they are listed in a summary later. An address that has one to come gets no
 * others but urgent ones.
 */
export const holdFloods = async (db: Database, kind: MessageKind, now: Date): Promise<void> => {
  await sql`
    with due as (
      select message_id, plant_id, lower(recipient) as address, (body->'alert'->>'priority')::int = ${AlertPriority.high} as is_urgent,
             row_number() over (partition by plant_id, lower(recipient) order by message_id) as nth
        from outbox where kind = ${kind} and status = 'waiting' and tries = 0 and hold = 0 and alert_id is not null and next_time <= ${now}),
    addresses as (
      select plant_id, address, (
               select count(*) from outbox s where s.kind = ${kind} and s.plant_id = a.plant_id and lower(s.recipient) = a.address and s.status = 'sent'
                  and s.alert_id is not null and s.sent_time > ${now}::timestamptz - ${period}::interval) as sent,
             exists (select from outbox_folds f where f.plant_id = a.plant_id and f.kind = ${kind} and f.recipient = a.address and f.hold = ${Hold.flood}) as is_flood
        from (select distinct plant_id, address from due) as a),
    held as (
      update outbox o set status = 'held', hold = ${Hold.flood} from due join addresses using (plant_id, address)
       where o.message_id = due.message_id and o.status = 'waiting'
         and case when is_urgent then sent + nth > ${mostUrgent} else is_flood or sent + nth > ${most} end
      returning o.plant_id, lower(o.recipient) as address)
    insert into outbox_folds (plant_id, kind, recipient, hold, due_time)
    select distinct plant_id, ${kind}::smallint, address, ${Hold.flood}::smallint, ${now}::timestamptz + ${pace}::interval from held
    on conflict do nothing`.execute(db);
};

interface QuietAddress {
  plant_id: number;
  recipient: string;
  quiet_from: number;
  quiet_to: number;
  quiet_zone: string;
}

const waiting = (
  kind: MessageKind,
  now: Date,
) => sql<boolean>`o.kind = ${kind} and o.status = 'waiting' and o.tries = 0 and o.hold = 0
    and o.alert_id is not null and o.next_time <= ${now} and (o.body->'alert'->>'priority')::int <> ${AlertPriority.high}
    and o.body->'alert'->>'stopKey' is null`;

/** Holds messages about alerts that are not urgent for users in their quiet hours: what still stands when these end is listed in one summary. */
export const holdQuiet = async (db: Database, kind: MessageKind, now: Date): Promise<void> => {
  const { rows } = await sql<QuietAddress>`
    select distinct o.plant_id, lower(o.recipient) as recipient, u.quiet_from, u.quiet_to, u.quiet_zone
      from outbox o join users u on lower(u.email) = lower(o.recipient) and u.quiet_from is not null where ${waiting(kind, now)}`.execute(
    db,
  );
  for (const { plant_id, recipient, quiet_from: from, quiet_to: to, quiet_zone: timeZoneId } of rows) {
    const until = quietUntil({ from, to, timeZoneId }, now.getTime());
    if (until === undefined) continue;
    await sql`
      with held as (
        update outbox o set status = 'held', hold = ${Hold.quietHours} where ${waiting(kind, now)} and o.plant_id = ${plant_id} and lower(o.recipient) = ${recipient}
        returning 1)
      insert into outbox_folds (plant_id, kind, recipient, hold, due_time)
      select ${plant_id}::int, ${kind}::smallint, ${recipient}, ${Hold.quietHours}::smallint, ${new Date(until)}::timestamptz from held limit 1
      on conflict do nothing`.execute(db);
  }
};

interface Fold {
  plant_id: number;
  recipient: string;
  hold: Hold;
}

/** A summary whose time has come, locked. */
const dueFold = async (trx: Database, kind: MessageKind, now: Date): Promise<Fold | undefined> => {
  const { rows } = await sql<Fold>`
    select plant_id, recipient, hold from outbox_folds where kind = ${kind} and due_time <= ${now}
     order by due_time limit 1 for update skip locked`.execute(trx);
  return rows[0];
};

const heldFor = (trx: Database, kind: MessageKind, { plant_id, recipient, hold }: Fold) =>
  trx
    .selectFrom("outbox")
    .selectAll()
    .where("kind", "=", kind)
    .where("plant_id", "=", plant_id)
    .where(sql<boolean>`lower(recipient) = ${recipient}`)
    .where("hold", "=", hold)
    .where("status", "=", "held")
    .orderBy("message_id")
    .forUpdate()
    .execute();

/** Most alerts that a summary lists one by one. */
const mostLines = 1_000;

/** What became of alerts since their messages were written. */
const statesOf = async (trx: Database, messages: readonly QueuedMessage[]) => {
  const ids = messages.flatMap(({ alert_id }) => alert_id ?? []);
  const rows = await trx
    .selectFrom("alerts")
    .select(["alert_id", "status", "cleared_time"])
    .where(sql<boolean>`alert_id = any(${ids}::bigint[])`)
    .execute();
  return new Map(rows.map((row) => [row.alert_id, row]));
};

const changeAll = async (
  trx: Database,
  messages: readonly QueuedMessage[],
  change: { status: QueuedMessage["status"]; hold?: number; digest_id?: number; fault?: string; next_time?: Date },
): Promise<void> => {
  if (messages.length === 0) return;
  const ids = messages.map(({ message_id }) => message_id);
  // A summary has the text; the message itself needs none any more.
  const body = change.status === "waiting" ? {} : { body: "{}" };
  await trx
    .updateTable("outbox")
    .set({ ...change, ...body })
    .where(sql<boolean>`message_id = any(${ids}::bigint[])`)
    .execute();
};

const writeDigest = async (
  trx: Database,
  kind: MessageKind,
  { hold }: Fold,
  listed: readonly QueuedMessage[],
  now: Date,
): Promise<void> => {
  const states = await statesOf(trx, listed);
  const alerts = listed.flatMap((message): AlertFacts[] => {
    const facts = alertOf(message);
    const cleared = states.get(message.alert_id ?? 0)?.cleared_time;
    return facts ? [{ ...facts, ...(cleared ? { clearedTime: cleared.getTime() } : {}) }] : [];
  });
  const [first] = listed;
  const newest = alerts.at(-1);
  if (!first || !newest) return;
  const digest: DigestFacts = {
    hold,
    plantName: newest.plantName,
    stopKey: newest.stopKey,
    alerts: alerts.slice(0, mostLines),
    more: Math.max(0, alerts.length - mostLines),
  };
  const { message_id } = await trx
    .insertInto("outbox")
    .values({
      ...{ plant_id: first.plant_id, kind, recipient: first.recipient, subject: `${alerts.length} alerts` },
      ...{ body: JSON.stringify({ digest }), next_time: now, created_time: now },
    })
    .returning("message_id")
    .executeTakeFirstOrThrow();
  await changeAll(trx, listed, { status: "listed", digest_id: message_id });
};

/** Sends what is held for one address: several as a summary, a single one as it is. Returns how many there were. */
const release = async (trx: Database, kind: MessageKind, fold: Fold, now: Date): Promise<number> => {
  const held = await heldFor(trx, kind, fold);
  const states = fold.hold === Hold.quietHours ? await statesOf(trx, held) : undefined;
  const isStanding = ({ alert_id }: QueuedMessage): boolean =>
    states === undefined ||
    (states.get(alert_id ?? 0)?.cleared_time === null && states.get(alert_id ?? 0)?.status === 1);
  const listed = held.filter(isStanding);
  const over = held.filter((message) => !isStanding(message));
  await changeAll(trx, over, { status: "skipped", fault: "Confirmed or over before the quiet hours ended" });
  if (listed.length > 1) await writeDigest(trx, kind, fold, listed, now);
  else await changeAll(trx, listed, { status: "waiting", hold: 0, next_time: now });
  return listed.length;
};

/**
 * Writes the summaries of a kind whose time has come, each with the messages that it lists in one transaction: no message is listed twice, or never.
 * A flood has calmed when there were few enough in the last 15 minutes.
 */
export const writeDigests = async (db: Database, kind: MessageKind, now: Date): Promise<void> => {
  for (;;) {
    const isDone = await db.transaction().execute(async (trx) => {
      const fold = await dueFold(trx, kind, now);
      if (!fold) return true;
      const count = await release(trx, kind, fold, now);
      const row = trx
        .updateTable("outbox_folds")
        .set({ due_time: sql<Date>`${now}::timestamptz + ${pace}::interval` })
        .where("plant_id", "=", fold.plant_id)
        .where("kind", "=", kind)
        .where("recipient", "=", fold.recipient)
        .where("hold", "=", fold.hold);
      if (fold.hold === Hold.flood && count > most) await row.execute();
      else
        await trx
          .deleteFrom("outbox_folds")
          .where("plant_id", "=", fold.plant_id)
          .where("kind", "=", kind)
          .where("recipient", "=", fold.recipient)
          .where("hold", "=", fold.hold)
          .execute();
      return false;
    });
    if (isDone) return;
  }
};
