import { setTimeout } from "node:timers/promises";
import { type LoadNeeds, type LoadStats, runLoad } from "./run.ts";

/** Messages between the parent and the load's process. */
export type LoadOrder = { order: "start"; needs: LoadNeeds } | { order: "stats" } | { order: "stop" };
export type LoadReply =
  | { reply: "started" }
  | { reply: "failed"; reason: string }
  | { reply: "stats"; stats: LoadStats };

/** How long to wait for the last acknowledgements, milliseconds. */
const patience = 5000;

let load: ReturnType<typeof runLoad> | undefined;

const sendReply = (reply: LoadReply): void => {
  process.send?.(reply);
};

const start = async (needs: LoadNeeds): Promise<void> => {
  load = runLoad(needs);
  try {
    await load.start();
    sendReply({ reply: "started" });
  } catch (cause) {
    sendReply({ reply: "failed", reason: cause instanceof Error ? cause.message : String(cause) });
  }
};

const stop = async (running: ReturnType<typeof runLoad>): Promise<void> => {
  const stats = { ...running.stats() };
  running.pause();
  const isDone = () => running.stats().acknowledged === running.stats().sent;
  for (let waited = 0; waited < patience && !isDone(); waited += 20) await setTimeout(20);
  // Rates cover the time under load; the counts include late acknowledgements.
  const { sent, acknowledged, readings, acknowledgedReadings, lost } = running.stats();
  sendReply({ reply: "stats", stats: { ...stats, sent, acknowledged, readings, acknowledgedReadings, lost } });
  running.end();
  process.disconnect?.();
};

process.on("message", (message: LoadOrder) => {
  if (message.order === "start") void start(message.needs);
  else if (load && message.order === "stats") sendReply({ reply: "stats", stats: load.stats() });
  else if (load) void stop(load);
});
process.on("disconnect", () => process.exit());
