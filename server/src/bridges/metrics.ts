import { Counter, Gauge } from "prom-client";
import type { World } from "../world.ts";
import { lagsOf } from "./queue/entries.ts";

/** Registers the metrics of the bridges that this server runs. `running`: their ids. */
export const createBridgeMetrics = (
  { metrics, db, pool, clock }: Pick<World, "metrics" | "db" | "pool" | "clock">,
  running: () => number[],
): void => {
  const common = { labelNames: ["bridge"] as const, registers: [metrics] };
  const counted = (column: "published_count" | "refused_count" | "lost_count", name: string, help: string) =>
    new Counter({
      ...{ ...common, name, help },
      async collect() {
        this.reset();
        const ids = running();
        if (ids.length === 0) return;
        const rows = db.selectFrom("bridges").select(["bridge_id", column]).where("bridge_id", "in", ids);
        for (const row of await rows.execute()) this.inc({ bridge: row.bridge_id }, row[column]);
      },
    });
  counted(
    "published_count",
    "telltale_bridge_published_total",
    "Readings and alerts that a bridge's broker has acknowledged",
  );
  counted(
    "refused_count",
    "telltale_bridge_refused_total",
    "Readings and alerts that a bridge's broker refuses for good; the bridge goes on without them",
  );
  counted(
    "lost_count",
    "telltale_bridge_lost_total",
    "Readings and alerts that a bridge never published: they waited for a week, or could not be read",
  );
  new Gauge({
    ...{ ...common, name: "telltale_bridge_behind", help: "Readings and alerts that a bridge has still to publish" },
    async collect() {
      this.reset();
      for (const { bridgeId: bridge, count } of await lagsOf(pool, running())) this.set({ bridge }, count);
    },
  });
  new Gauge({
    ...{ ...common, name: "telltale_bridge_lag_seconds" },
    help: "For how long the oldest reading or alert has been waiting to be published by a bridge",
    async collect() {
      this.reset();
      for (const { bridgeId: bridge, oldest } of await lagsOf(pool, running()))
        this.set({ bridge }, oldest === null ? 0 : Math.max(0, clock.now() - oldest) / 1000);
    },
  });
};
