import { AlertPriority, AlertStatus } from "@telltale/contract/domains/alerts";
import { MessageKind } from "@telltale/contract/notification-channels";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../platform/database/schema/schema.ts";
import type { AlertFacts } from "../letters/alert-facts.ts";
import type { DigestFacts } from "../letters/digest-letter.ts";
import { alertOf } from "../letters/message.ts";
import { Hold } from "./hold.ts";
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
             row_number() over (partition by plant_id, lower(recipient), (body->'alert'->>'priority')::int = ${AlertPriority.high} order by message_id) as nth
        from outbox where kind = ${kind} and status = 'waiting' and tries = 0 and hold = 0 and alert_id is not null and next_time <= ${now}),
    addresses as (
      select plant_id, address, (
               select count(*) from outbox s where s.kind = ${kind} and s.plant_id = a.plant_id and lower(s.recipient) = a.address and s.status in ('sent', 'kept')
                  and s.alert_id is not null and s.sent_time > ${now}::timestamptz - ${period}::interval) + (
               select count(*) from outbox s where s.kind = ${kind} and s.plant_id = a.plant_id and lower(s.recipient) = a.address
                  and s.status in ('waiting', 'sending') and s.tries > 0 and s.alert_id is not null) as sent,
             exists (select from outbox_folds f where f.plant_id = a.plant_id and f.kind = ${kind} and f.recipient = a.address and f.hold = ${Hold.flood}) as is_flood
        from (select distinct plant_id, address from due) as a),
    held as (
      update outbox o set status = 'held', hold = ${Hold.flood} from due join addresses using (plant_id, address)
       where o.message_id = due.message_id and o.status = 'waiting'
         and case when is_urgent then sent + nth > ${mostUrgent} else is_flood or sent + nth > ${most} end
      returning o.plant_id, lower(o.recipient) as address)
    insert into outbox_folds (plant_id, kind, recipient, hold, due_time)
    select distinct plant_id, ${kind}::smallint, address, ${Hold.flood}::smallint, ${now}::timestamptz + ${pace}::interval from held
    on conflict (plant_id, kind, recipient, hold) do update set due_time = outbox_folds.due_time`.execute(db);
};

/** An address of a plant, as summaries know it. */
interface Address {
  plant_id: number;
  recipient: string;
}

interface QuietHoursRow {
  quiet_from: number;
  quiet_to: number;
  quiet_zone: string;
}

/** A message about an alert that may wait for the end of quiet hours: it is not urgent, and goes to a user. */
const canWait = sql<boolean>`outbox.alert_id is not null and (outbox.body->'alert'->>'priority')::int <> ${AlertPriority.high}
    and outbox.body->'alert'->>'stopKey' is null`;

const waiting = (kind: MessageKind, now: Date) =>
  sql<boolean>`outbox.kind = ${kind} and outbox.status = 'waiting' and outbox.tries = 0 and outbox.hold = 0 and outbox.next_time <= ${now} and ${canWait}`;

/** Joins the users `u` whom messages of a kind to an address reach. */
const usersOf = (kind: MessageKind, address: RawBuilder<unknown>): RawBuilder<unknown> =>
  kind === MessageKind.push
    ? sql`join push_subscriptions p on p.push_id::text = ${address} join accounts using (account_id) join users u using (user_id)`
    : sql`join users u on lower(u.email) = lower(${address})`;

/** When the quiet hours end that a user has now; undefined outside them. */
const endOfQuiet = ({ quiet_from: from, quiet_to: to, quiet_zone: timeZoneId }: QuietHoursRow, now: Date) =>
  quietUntil({ from, to, timeZoneId }, now.getTime());

/** Holds these messages to an address until its quiet hours end. */
const holdUntil = async (
  db: Database,
  kind: MessageKind,
  { plant_id, recipient }: Address,
  { which, until }: { which: RawBuilder<boolean>; until: number },
): Promise<void> => {
  await sql`
    with held as (update outbox set status = 'held', hold = ${Hold.quietHours} where ${which} returning 1)
    insert into outbox_folds (plant_id, kind, recipient, hold, due_time)
    select ${plant_id}::int, ${kind}::smallint, ${recipient}, ${Hold.quietHours}::smallint, ${new Date(until)}::timestamptz from held limit 1
    on conflict (plant_id, kind, recipient, hold) do update set due_time = outbox_folds.due_time`.execute(db);
};

/** Holds messages about alerts that are not urgent for users in their quiet hours: what still stands when these end is listed in one summary. */
export const holdQuiet = async (db: Database, kind: MessageKind, now: Date): Promise<void> => {
  const { rows } = await sql<Address & QuietHoursRow>`
    select distinct outbox.plant_id, lower(outbox.recipient) as recipient, u.quiet_from, u.quiet_to, u.quiet_zone
      from outbox ${usersOf(kind, sql`outbox.recipient`)} where u.quiet_from is not null and ${waiting(kind, now)}`.execute(
    db,
  );
  for (const row of rows) {
    const until = endOfQuiet(row, now);
    const ofAddress = sql<boolean>`outbox.plant_id = ${row.plant_id} and lower(outbox.recipient) = ${row.recipient}`;
    const which = sql<boolean>`${waiting(kind, now)} and ${ofAddress}`;
    if (until !== undefined) await holdUntil(db, kind, row, { which, until });
  }
};

interface Fold extends Address {
  hold: Hold;
}

/** A summary whose time has come, locked. */
const dueFold = async (trx: Database, kind: MessageKind, now: Date): Promise<Fold | undefined> => {
  const { rows } = await sql<Fold>`
    select plant_id, recipient, hold from outbox_folds where kind = ${kind} and due_time <= ${now}
     order by due_time limit 1 for update skip locked`.execute(trx);
  return rows[0];
};

/** Has summaries come in time that were to come later than at their pace, because the server's clock was set back since. Quiet hours are by the clock. */
export const recallDigests = async (db: Database, kind: MessageKind, now: Date): Promise<void> => {
  await sql`
    update outbox_folds set due_time = ${now}::timestamptz + ${pace}::interval
     where kind = ${kind} and hold <> ${Hold.quietHours} and due_time > ${now}::timestamptz + ${pace}::interval`.execute(
    db,
  );
};

/** The held messages of an address up to one of them: others may be held meanwhile. */
const isHeld = (kind: MessageKind, { plant_id, recipient, hold }: Fold, until: number) =>
  sql<boolean>`outbox.kind = ${kind} and outbox.plant_id = ${plant_id} and lower(outbox.recipient) = ${recipient} and outbox.hold = ${hold}
    and outbox.status = 'held' and outbox.message_id <= ${until}`;

/** A summary that comes in its address's quiet hours leaves to the end of these what is not urgent. */
const leaveToQuietHours = async (trx: Database, kind: MessageKind, fold: Fold, now: Date): Promise<void> => {
  const { rows } = await sql<QuietHoursRow>`
    select u.quiet_from, u.quiet_to, u.quiet_zone from (select ${fold.recipient}::text as recipient) as f ${usersOf(kind, sql`f.recipient`)}
     where u.quiet_from is not null`.execute(trx);
  const which = sql<boolean>`${isHeld(kind, fold, Number.MAX_SAFE_INTEGER)} and ${canWait}`;
  for (const row of rows) {
    const until = endOfQuiet(row, now);
    if (until !== undefined) await holdUntil(trx, kind, fold, { which, until });
  }
};

/** Leaves out what was confirmed or is over. Set-based, as all of this: an address may have hundreds of thousands of messages. */
const skipOver = async (trx: Database, held: RawBuilder<boolean>): Promise<void> => {
  await sql`
    update outbox set status = 'skipped', body = '{}', fault = 'Confirmed or over before the quiet hours ended'
     where ${held} and round <> -1 and not exists (
       select from alerts a where a.alert_id = outbox.alert_id and a.cleared_time is null and a.status = ${AlertStatus.triggered})`.execute(
    trx,
  );
};

/** Most alerts that a summary lists one by one: the newest. */
const mostLines = 1_000;

/** The newest held messages, oldest first, with what became of their alerts since they were written. */
const newestHeld = async (trx: Database, held: RawBuilder<boolean>) => {
  const rows = await trx
    .selectFrom("outbox")
    .leftJoin("alerts", "alerts.alert_id", "outbox.alert_id")
    .where(held)
    .orderBy("outbox.message_id", "desc")
    .limit(mostLines)
    .select(["outbox.recipient", "outbox.body", "alerts.cleared_time"])
    .execute();
  return rows.reverse();
};

const writeDigest = async (
  trx: Database,
  kind: MessageKind,
  { hold, plant_id }: Fold,
  { held, count, now }: { held: RawBuilder<boolean>; count: number; now: Date },
): Promise<void> => {
  const listed = await newestHeld(trx, held);
  const alerts = listed.flatMap((message): AlertFacts[] => {
    const facts = alertOf(message);
    const cleared = message.cleared_time;
    return facts ? [{ ...facts, ...(cleared ? { clearedTime: cleared.getTime() } : {}) }] : [];
  });
  const newest = alerts.at(-1);
  const { recipient } = listed.at(-1) ?? {};
  if (!newest || recipient === undefined) return;
  const { plantName, stopKey } = newest;
  const digest: DigestFacts = { hold, plantName, stopKey, alerts, more: Math.max(0, count - alerts.length) };
  const { message_id } = await trx
    .insertInto("outbox")
    .values({
      ...{ plant_id, kind, recipient, subject: `${count} alerts` },
      ...{ body: JSON.stringify({ digest }), next_time: now, created_time: now },
    })
    .returning("message_id")
    .executeTakeFirstOrThrow();
  // The summary has the texts: the messages themselves need none any more.
  await trx.updateTable("outbox").set({ status: "listed", digest_id: message_id, body: "{}" }).where(held).execute();
};

/** Sends a single held message as it is; it says so when its alert has cleared meanwhile. */
const sendAlone = async (trx: Database, held: RawBuilder<boolean>, now: Date): Promise<void> => {
  const cleared = sql`(select round(extract(epoch from a.cleared_time) * 1000) from alerts a where a.alert_id = outbox.alert_id)`;
  await sql`
    update outbox set status = 'waiting', hold = 0, next_time = ${now},
           body = case when ${cleared} is null then body else jsonb_set(body, '{alert,clearedTime}', to_jsonb(${cleared})) end
     where ${held}`.execute(trx);
};

/** Sends what is held for one address: several as a summary, a single one as it is. Returns how many there were. */
const release = async (trx: Database, kind: MessageKind, fold: Fold, now: Date): Promise<number> => {
  const all = isHeld(kind, fold, Number.MAX_SAFE_INTEGER);
  const counted = () =>
    trx
      .selectFrom("outbox")
      .where(all)
      .select(({ fn }) => [fn.countAll<number>().as("count"), fn.max("message_id").as("until")])
      .executeTakeFirstOrThrow();
  if (fold.hold === Hold.quietHours) await skipOver(trx, all);
  else await leaveToQuietHours(trx, kind, fold, now);
  const { count, until } = await counted();
  const held = isHeld(kind, fold, until ?? 0);
  if (count > 1) await writeDigest(trx, kind, fold, { held, count, now });
  else await sendAlone(trx, held, now);
  return count;
};

/**
 * Writes the summaries of a kind whose time has come, each with the messages that it lists in one transaction: no message is listed twice, or never.
 * A flood has calmed when there were few enough in the last 15 minutes; a backlog when nothing more of it came.
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
      const goesOn = fold.hold === Hold.flood ? count > most : fold.hold === Hold.backlog && count > 1;
      if (goesOn) await row.execute();
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
