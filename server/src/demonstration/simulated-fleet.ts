import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database, World } from "../world.ts";
import { demonstrationFleet } from "./fleet.ts";

export interface SimulatedFleet {
  start(): void;
  stop(): Promise<void>;
}

const program = join(import.meta.dirname, "../../../simulator/src/main.ts");

/** What a new plant's charts have to show. */
const history = "90d";

/** Waits before a fleet that has died is started again, in milliseconds: doubled each time, forgotten after a minute of life. */
const restart = { first: 1_000, longest: 60_000, forgottenAfter: 60_000 };
/** A fleet that does not end when told is ended after this long. */
const patience = 3_000;

const hasReadings = async (db: Database): Promise<boolean> =>
  (await db.selectFrom("latest").select("channel_id").limit(1).executeTakeFirst()) !== undefined;

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

const endOf = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (hasEnded(child)) resolve();
    else child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });

/**
 * The demonstration's plant: a process of its own that speaks the device API like any other fleet, started again when it dies.
 * It learns devices and access tokens on its standard input, where no list of processes shows them.
 */
export const createSimulatedFleet = (
  { db, clock, log }: Pick<World, "db" | "clock" | "log">,
  mqttUrl: () => string,
): SimulatedFleet => {
  let child: ChildProcess | undefined;
  const stopping = new AbortController();
  const { signal } = stopping;

  const live = async (): Promise<void> => {
    const fleet = await demonstrationFleet(db);
    if (fleet.length === 0 || signal.aborted) return;
    const past = (await hasReadings(db)) ? [] : ["--history", history];
    child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", program, "-", ...past], {
      env: { ...process.env, TELLTALE_MQTT_URL: mqttUrl() },
      stdio: ["pipe", "pipe", "pipe"],
    });
    let last = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        last = text.trim();
        log.debug(`Simulated fleet: ${last}`);
      });
    }
    child.stdin?.on("error", () => undefined); // it died before it had read all
    child.stdin?.end(JSON.stringify(fleet));
    await endOf(child);
    if (!signal.aborted) log.warn({ last }, "The simulated fleet has ended");
  };
  const keepAlive = async (): Promise<void> => {
    for (let wait = restart.first; !signal.aborted; wait = Math.min(wait * 2, restart.longest)) {
      const since = clock.now();
      await live().catch((fault: unknown) => log.warn({ err: fault }, "The simulated fleet could not be started"));
      if (signal.aborted) return;
      if (clock.now() - since > restart.forgottenAfter) wait = restart.first;
      await sleep(wait, undefined, { signal }).catch(() => undefined);
    }
  };
  return {
    start: () => {
      if (existsSync(program)) void keepAlive();
    },
    stop: async () => {
      stopping.abort();
      if (!child || hasEnded(child)) return;
      child.kill("SIGTERM");
      const force = setTimeout(() => child?.kill("SIGKILL"), patience);
      await endOf(child);
      clearTimeout(force);
    },
  };
};
