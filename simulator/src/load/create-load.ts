import { type ChildProcess, fork } from "node:child_process";
import type { LoadOrder, LoadReply } from "./process.ts";
import type { LoadNeeds, LoadStats } from "./run.ts";

/** A fleet that publishes at maximum speed, or at a fixed rate, from a separate process. */
export interface Load {
  /** Settles when all devices are connected and publishing; rejects when one is refused. */
  start: () => Promise<void>;
  /** Statistics since the start. */
  stats: () => Promise<LoadStats>;
  /** Waits some seconds for the last acknowledgements, and ends the process. The rates cover the time under load. */
  stop: () => Promise<LoadStats>;
}

const program = new URL("./process.ts", import.meta.url);

const reply = (child: ChildProcess): Promise<LoadReply> =>
  new Promise((resolve, reject) => {
    child.once("message", (message) => resolve(message as LoadReply));
    child.once("exit", (code) => reject(new Error(`The load generator has ended (code ${code})`)));
  });

/** Prepares a load: MQTT QoS 1 over plain sockets, packets encoded once, a bounded window of unacknowledged messages per connection. */
export const createLoad = (needs: LoadNeeds): Load => {
  const child = fork(program, { execArgv: ["--disable-warning=ExperimentalWarning"] });
  const ask = async (order: LoadOrder): Promise<LoadReply> => {
    const answer = reply(child);
    child.send(order);
    return answer;
  };
  const statsOf = (answer: LoadReply): LoadStats => {
    if (answer.reply === "stats") return answer.stats;
    throw new Error("The load generator gave no figures");
  };
  return {
    start: async () => {
      const answer = await ask({ order: "start", needs });
      if (answer.reply !== "failed") return;
      child.kill();
      throw new Error(answer.reason);
    },
    stats: async () => statsOf(await ask({ order: "stats" })),
    stop: async () => statsOf(await ask({ order: "stop" })),
  };
};
