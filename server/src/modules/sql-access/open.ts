import type { Lifecycle } from "../../platform/lifecycle.ts";
import type { World } from "../../world.ts";
import { prepareSqlAccess, type SqlPlace, sqlLimits } from "./prepare.ts";
import { createSqlProxy, type SqlProxy, type SqlProxyOptions } from "./proxy.ts";
import { createSqlWatch } from "./watch.ts";

/** Prepares the database that SQL users enter, and opens their port; `life` closes it. Throws a line that says what is missing. */
export const openSqlAccess = async (
  world: Pick<World, "pool" | "log" | "clock" | "metrics" | "node">,
  place: SqlPlace,
  options: Omit<SqlProxyOptions, "databaseUrl">,
  life: Lifecycle,
  limits = sqlLimits,
): Promise<SqlProxy> => {
  await prepareSqlAccess(place, world.pool);
  const proxy = createSqlProxy(world, { ...options, databaseUrl: place.databaseUrl });
  await proxy.start();
  life.onStop("port of SQL users", proxy.stop);
  const watch = createSqlWatch(world, place, () => proxy.sessions() > 0, limits);
  watch.start();
  life.onStop("watch on SQL users", watch.stop);
  return proxy;
};
