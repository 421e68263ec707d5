import type pg from "pg";

/** An entry in the alert log; times in epoch milliseconds. */
export interface RecordedEntry {
  id: number;
  channelId: number;
  raised: number;
  cleared: number | undefined;
  /** When the server raised it, by its own clock. */
  received: number;
  confirmed: number | undefined;
}

/** A message about an alert, or a summary. */
export interface RecordedMessage {
  id: number;
  /** Undefined for a summary. */
  alertId: number | undefined;
  recipient: string;
  /** 0 in a plan's first round, -1 when it is back to normal. */
  round: number;
  status: string;
  /** Sent, with or without an answer. */
  handedOver: boolean;
  created: number;
  sent: number | undefined;
  /** The summary that lists it. */
  digestId: number | undefined;
  subject: string;
}

const epoch = (column: string): string => `round(extract(epoch FROM ${column}) * 1000)::float8`;

const entries = `
  SELECT alert_id AS id, channel_id AS "channelId", ${epoch("created_time")} AS raised, ${epoch("cleared_time")} AS cleared,
         ${epoch("received_time")} AS received, ${epoch("accept_time")} AS confirmed
    FROM alerts WHERE alarm_class = 1 ORDER BY alert_id`;

const messages = `
  SELECT message_id AS id, alert_id AS "alertId", recipient, round, status, handed_over AS "handedOver", ${epoch("created_time")} AS created,
         ${epoch("sent_time")} AS sent, digest_id AS "digestId", subject
    FROM outbox WHERE recipient LIKE '%@boiler%' AND (alert_id IS NOT NULL OR body ? 'digest' OR subject ~ '^[0-9]+ alerts$') ORDER BY message_id`;

/** A row with undefined instead of null. */
const withUndefined = <T extends object>(row: T): T =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? undefined])) as T;

/** Everything that the server has recorded of the devices' own alarms. */
export interface Recorded {
  entries: RecordedEntry[];
  messages: RecordedMessage[];
}

export const readRecorded = async (database: pg.Client): Promise<Recorded> => ({
  entries: (await database.query<RecordedEntry>(entries)).rows.map(withUndefined),
  messages: (await database.query<RecordedMessage>(messages)).rows.map(withUndefined),
});
