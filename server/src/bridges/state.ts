import type { Selectable } from "kysely";
import { announceChange } from "../platform/database/audit.ts";
import type { Database, Schema } from "../platform/database/schema/schema.ts";
import type { World } from "../world.ts";
import type { BrokerFault } from "./broker.ts";
import { brokerFault } from "./faults.rules.ts";

export type Bridge = Selectable<Schema["bridges"]>;

type Needs = Pick<World, "db" | "clock" | "log">;

/** Notes that a bridge publishes. */
export const recordConnected = async (
  { db, clock, log }: Needs,
  { bridge_id, plant_id: plantId, failing_since }: Bridge,
): Promise<void> => {
  if (failing_since) log.info({ bridgeId: bridge_id }, "A bridge is connected to its broker again");
  await db
    .updateTable("bridges")
    .set({ connected_since: clock.date(), failing_since: null, fault: "" })
    .where("bridge_id", "=", bridge_id)
    .execute();
  await announceChange(db, { plantId, record: "bridge" });
};

/** Notes that a bridge does not reach its broker, and why. Log and consoles get a fault once, not at each try. */
export const recordFault = async ({ db, clock, log }: Needs, bridge: Bridge, { cause }: BrokerFault): Promise<void> => {
  const { bridge_id: bridgeId, plant_id: plantId } = bridge;
  const fault = brokerFault(cause).slice(0, 300);
  const isNew = bridge.failing_since === null || bridge.fault !== fault;
  if (isNew)
    log.warn(
      { bridgeId, fault },
      "A bridge does not reach its broker; what it has to publish waits, and it tries again",
    );
  await db
    .updateTable("bridges")
    .set(({ fn, val }) => ({
      connected_since: null,
      failing_since: fn.coalesce("failing_since", val(clock.date())),
      fault,
    }))
    .where("bridge_id", "=", bridgeId)
    .execute();
  if (isNew) await announceChange(db, { plantId, record: "bridge" });
};

/** Time without its broker after which a bridge counts as silent, milliseconds: longer than a broker is away for an update. */
const longAway = 3_600_000;

/** The plant's bridges that have not reached their brokers for long, the first to fail first. */
export const failingBridges = async (db: Database, plantId: number, now: Date) => {
  const rows = await db
    .selectFrom("bridges")
    .select(["bridge_id", "bridge_name", "fault", "failing_since"])
    .where("plant_id", "=", plantId)
    .where("is_enabled", "=", true)
    .where("failing_since", "<=", new Date(now.getTime() - longAway))
    .orderBy("failing_since")
    .orderBy("bridge_id")
    .execute();
  return rows.flatMap(({ bridge_id, bridge_name, fault, failing_since: since }) =>
    since ? [{ bridgeId: bridge_id, bridgeName: bridge_name, since, fault }] : [],
  );
};
