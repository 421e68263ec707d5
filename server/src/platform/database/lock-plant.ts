import type { Database } from "./schema/schema.ts";

/**
 * Locks a plant until the transaction ends, so that additions at the same time do not pass a limit of the plant together. What only refers to the plant
 * goes on.
 */
export const lockPlant = async (trx: Database, plantId: number): Promise<void> => {
  await trx.selectFrom("plants").select("plant_id").where("plant_id", "=", plantId).forNoKeyUpdate().execute();
};
