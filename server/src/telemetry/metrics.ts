import { Counter, Gauge, Histogram } from "prom-client";
import type { Merger } from "../readings/index.ts";
import type { World } from "../world.ts";
import type { Refusals } from "./devices/refusals.ts";
import type { Writer } from "./ingest/writer.ts";

interface Observed {
  writer: Pick<Writer, "stats" | "oldestTs" | "onCommit">;
  refusals: Pick<Refusals, "totals">;
  merger: Pick<Merger, "stats">;
}

const observeCommits = (metrics: World["metrics"], onCommit: Writer["onCommit"]): void => {
  const commits = new Histogram({
    name: "telltale_commit_duration_seconds",
    help: "Durations of the transactions that store readings",
    buckets: [0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.2, 0.5, 1, 5],
    registers: [metrics],
  });
  onCommit((seconds) => commits.observe(seconds));
};

/** Registers the metrics of readings. Counters are read from the writer's totals at each scrape. */
export const createTelemetryMetrics = (
  { metrics, clock }: Pick<World, "metrics" | "clock">,
  { writer: { stats: writer, oldestTs, onCommit }, refusals, merger }: Observed,
): void => {
  const registers = [metrics];
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
  sum(
    "telltale_batches_outdated_total",
    "Batches evaluated again because a device had changed meanwhile",
    () => writer.outdatedBatches,
  );
  sum("telltale_alerts_raised_total", "Alerts raised by readings", () => writer.raised);
  sum("telltale_alerts_cleared_total", "Alerts cleared by readings", () => writer.cleared);
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  };
  observeCommits(metrics, onCommit);
  gauge("telltale_readings_waiting", "Readings that wait for their commit", () => writer.waitingReadings);
  gauge("telltale_readings_unmerged", "Committed readings that are not merged yet", () => merger.stats.unmerged);
  gauge("telltale_messages_waiting", "Messages of devices that wait for their commit", () => writer.waiting);
  gauge("telltale_bytes_waiting", "Bytes of what waits for its commit, about", () => writer.waitingBytes);
  gauge("telltale_oldest_waiting_seconds", "Age of the oldest message that waits for its commit", () => {
    const since = oldestTs();
    return since === undefined ? 0 : Math.max(0, clock.now() - since) / 1000;
  });
  gauge(
    "telltale_last_commit_timestamp_seconds",
    "When a batch was last committed, in seconds since the epoch",
    () => writer.committedTs / 1000,
  );
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
