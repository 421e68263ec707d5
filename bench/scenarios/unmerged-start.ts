import type { Pool } from "pg";
import { withDatabaseUrl, withPool } from "../bench-database.ts";
import { withServer } from "../bench-server.ts";
import { count, type Figure, fixed } from "../figure.ts";
import { few, measure } from "../fleet-load.ts";

const wanted = 10_000_000;

const unmergedIn = async (pool: Pool): Promise<number> =>
  (await pool.query<{ readings: number }>("SELECT coalesce(sum(count), 0)::float8 AS readings FROM batches")).rows[0]
    ?.readings ?? 0;

/** Time from the start of the process until /readyz succeeds, after kill -9 with many readings that were not merged. */
export const unmergedStart = (): Promise<Figure[]> =>
  withDatabaseUrl((url) =>
    withServer(
      few.devices,
      (server) =>
        withPool(url, async (pool) => {
          const client = await pool.connect();
          // The merge waits for this lock; commits of readings do not.
          await client.query("BEGIN; LOCK TABLE chunks IN SHARE MODE");
          while ((await unmergedIn(pool)) < wanted) await measure(server.mqttPort, server.devices, few, 5);
          const unmerged = await unmergedIn(pool);
          await server.kill9();
          await client.query("ROLLBACK");
          client.release();
          const begin = performance.now();
          await server.restart();
          const seconds = (performance.now() - begin) / 1000;
          return [
            {
              name: `start to ready after kill -9 with ${count(unmerged, "unmerged readings")}`,
              goal: "<= 10 s",
              measured: fixed(seconds, 1, "s"),
              baseline: "",
              ratio: "",
            },
          ];
        }),
      { DATABASE_URL: url },
    ),
  );
