import { sql } from "kysely";
import type { Database } from "../database/schema/schema.ts";

/** Advisory lock of what a first start creates; an arbitrary number that must be the same in every version. */
const lockNumber = 8_021_980;

/** Lets one node at a time create what a first start creates, until the transaction ends. Take it before looking whether that is there already. */
export const lockFirstStart = async (trx: Database): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${lockNumber})`.execute(trx);
};
