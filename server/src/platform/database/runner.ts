import { CompiledQuery } from "kysely";
import type { QueryResultRow } from "pg";
import type { Database } from "./schema/schema.ts";

/** A statement with its values. With a name it is prepared once in each connection. */
export interface Statement {
  name?: string;
  text: string;
  values: unknown[];
}

/** Runs statements: a client inside a transaction, the pool for a single statement, or `runIn` of a Kysely transaction. */
export interface Runner {
  query<R extends QueryResultRow>(statement: Statement): Promise<{ rows: R[] }>;
}

/** Adapts a Kysely transaction to `Runner`. */
export const runIn = (db: Database): Runner => ({
  query: async <R extends QueryResultRow>({ text, values }: Statement) =>
    db.executeQuery<R>(CompiledQuery.raw(text, values)),
});
