import { Counter, Gauge, type Registry } from "prom-client";
import type { WriterStats } from "./lane.ts";
import type { Refusals } from "./refusals.ts";

interface Observed {
  writer: Readonly<WriterStats>;
  refusals: Pick<Refusals, "totals">;
}

/** What `/metrics` tells of readings. The counters are read from the writer's own sums when somebody asks. */
export const createTelemetryMetrics = (registry: Registry, { writer, refusals }: Observed): void => {
  const registers = [registry];
  const sum = (name: string, help: string, read: () => number): void => {
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  };
  sum("telltale_readings_total", "Readings committed", () => writer.readings);
  sum("telltale_batches_total", "Batches committed", () => writer.batches);
  sum("telltale_batches_failed_total", "Batches that were not committed at the first try", () => writer.failedBatches);
  sum("telltale_alerts_raised_total", "Alerts raised by readings", () => writer.raised);
  sum("telltale_alerts_cleared_total", "Alerts cleared by readings", () => writer.cleared);
  new Gauge({
    name: "telltale_readings_waiting",
    help: "Readings that wait for their commit",
    registers,
    collect() {
      this.set(writer.waitingReadings);
    },
  });
  new Counter({
    name: "telltale_refused_values_total",
    help: "Values of devices that were not stored, by reason; the devices' diagnostics tell which",
    labelNames: ["reason"] as const,
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of refusals.totals()) this.inc({ reason }, count);
    },
  });
};
