import type { SilentNow } from "@telltale/contract/domains/alerting/silent-now";
import { MessageKind } from "@telltale/contract/notification-channels";
import { sql } from "kysely";
import type { Database } from "../../platform/database/schema/schema.ts";
import { recipientName } from "./recipient-name-sql.ts";

interface Failed {
  kind: SilentNow["failed"][number]["kind"];
  recipient: string;
  name: string | null;
  messages: number;
  since: Date;
  last_time: Date;
  fault: string;
}

/**
 * Addresses of the plant at which messages about alerts do not arrive: what was given up since the last one that did, by address, the latest first. The
 * outbox forgets in time, and so does this.
 */
export const failedDeliveries = async (db: Database, plantId: number): Promise<SilentNow["failed"]> => {
  const { rows } = await sql<Failed>`
    select o.kind, o.recipient, count(*)::int as messages, min(o.created_time) as since, max(o.created_time) as last_time,
           (array_agg(o.fault order by o.message_id desc))[1] as fault,
           ${recipientName} as name
      from outbox o
     where o.plant_id = ${plantId} and o.status = 'failed' and o.alert_id is not null
       -- A browser that is gone was subscribed again, or its user does without.
       and (o.kind <> ${MessageKind.push} or exists (select from push_subscriptions p where p.push_id::text = o.recipient))
       and not exists (select from outbox s where s.plant_id = ${plantId} and s.kind = o.kind and s.recipient = o.recipient
                          and s.status = 'sent' and s.message_id > o.message_id)
     group by o.plant_id, o.kind, o.recipient order by max(o.message_id) desc`.execute(db);
  return rows.map(({ last_time: lastTime, ...row }) => ({ ...row, lastTime }));
};
