import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@telltale/contract/call/client";
import { alerts } from "@telltale/contract/domains/alerts";
import type { RunningServer } from "../../e2e/server-process.ts";
import { inDatabase } from "../database.ts";

/** Confirms some of the entries while they stand. */
export interface Confirming {
  /** When each confirmation was answered, by the entry's id. */
  confirmed: ReadonlyMap<number, number>;
  stop(): Promise<void>;
}

const every = 1_000;
/** One entry in so many is confirmed, after as many seconds as it may take: before its second step, or its third. */
const [oneIn, longest] = [3, 100];

/** Entries to be confirmed whose first step was claimed. */
const due = `
  SELECT alert_id AS id FROM alerts a JOIN escalations e USING (alert_id)
   WHERE a.alarm_class = 1 AND a.cleared_time IS NULL AND a.accept_time IS NULL AND e.position > 0 AND a.alert_id % ${oneIn} = 0
     AND a.received_time < now() - (a.alert_id * 7 % ${longest}) * interval '1 second'`;

export const startConfirming = (server: RunningServer, client: Client): Confirming => {
  const confirmed = new Map<number, number>();
  let isWanted = true;
  const confirmDue = async (): Promise<void> => {
    const ids = await inDatabase(server.dataDir, async (database) => (await database.query<{ id: number }>(due)).rows);
    for (const { id } of ids) {
      await client(alerts.confirm, { alarmLogId: id });
      confirmed.set(id, Date.now());
    }
  };
  const run = async (): Promise<void> => {
    for (; isWanted; await sleep(every)) {
      // Refused while the server or its database is away: it is tried again.
      await confirmDue().catch(() => undefined);
    }
  };
  const running = run();
  return {
    confirmed,
    stop: async () => {
      isWanted = false;
      await running;
    },
  };
};
