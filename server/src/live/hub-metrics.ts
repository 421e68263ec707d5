import { Counter, Gauge, type Registry } from "prom-client";
import type { Sent } from "./plant/plant-channel.ts";

/** Registers the metrics of the live sockets. */
export const createHubMetrics = (registry: Registry, sockets: () => number) => {
  const registers = [registry];
  new Gauge({
    name: "telltale_live_sockets",
    help: "Open live sockets",
    registers,
    collect() {
      this.set(sockets());
    },
  });
  const messages = new Counter({
    name: "telltale_live_messages_total",
    help: "Messages offered to live sockets",
    registers,
  });
  const skipped = new Counter({
    name: "telltale_live_messages_skipped_total",
    help: "Messages that a slow socket did not get because a newer one replaced them",
    registers,
  });
  const closed = new Counter({
    name: "telltale_live_sockets_closed_total",
    help: "Live sockets that the server closed, by reason",
    labelNames: ["reason"] as const,
    registers,
  });
  return {
    closed,
    count: (sent: Sent): void => {
      messages.inc(sent.messages);
      skipped.inc(sent.skipped);
    },
  };
};

export type HubMetrics = ReturnType<typeof createHubMetrics>;
