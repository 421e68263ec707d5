import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { RunningServer } from "../../e2e/server-process.ts";
import { inDatabase } from "../database.ts";
import type { AlarmedUnit } from "./alarmed-unit.ts";

/** How long such a moment is waited for, milliseconds. */
const patience = 150_000;

/** Asks until there is an answer. */
const until = async <T>(find: () => T | undefined | Promise<T | undefined>): Promise<T> => {
  for (const end = AbortSignal.timeout(patience); ; await sleep(20)) {
    const found = await find();
    if (found !== undefined) return found;
    if (end.aborted) throw new Error("The moment did not come");
  }
};

const untilTime = (at: number): Promise<void> => sleep(Math.max(0, at - Date.now()));

/** While an alarm waits for its delay: `before` milliseconds before that ends, or after it where that is negative. */
export const untilDue = async (units: readonly AlarmedUnit[], before: number): Promise<void> => {
  const due = await until(() => {
    const dues = units.flatMap(({ device }) => device.dues()).filter((at) => at - before > Date.now());
    return dues.length > 0 ? Math.min(...dues) : undefined;
  });
  await untilTime(due - before);
};

const first = async (database: pg.Client, query: string): Promise<number | undefined> =>
  (await database.query<{ found: number | null }>(query)).rows[0]?.found ?? undefined;

/** As soon as a step was claimed whose messages are not sent yet. */
export const untilClaimed = (server: RunningServer): Promise<unknown> =>
  inDatabase(server.dataDir, (database) =>
    until(() =>
      first(
        database,
        "SELECT message_id AS found FROM outbox WHERE alert_id IS NOT NULL AND round = 0 AND status IN ('waiting', 'sending') LIMIT 1",
      ),
    ),
  );

/** When a step after the first is due. */
export const untilStepDue = async (server: RunningServer): Promise<void> => {
  const due = await inDatabase(server.dataDir, (database) =>
    until(() =>
      first(
        database,
        "SELECT (extract(epoch FROM min(due_time)) * 1000)::float8 AS found FROM escalations WHERE position > 0 AND due_time > now()",
      ),
    ),
  );
  await untilTime(due);
};

/** When all steps that were due are claimed. */
export const untilNothingDue = (server: RunningServer): Promise<unknown> =>
  inDatabase(server.dataDir, (database) =>
    until(() =>
      first(database, "SELECT 1 AS found WHERE NOT EXISTS (SELECT FROM escalations WHERE due_time <= now())"),
    ),
  );
