import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { programFile } from "../platform/installed.ts";
import type { World } from "../world.ts";
import { completePast } from "./past/complete-past.ts";
import { pastToWrite } from "./past/past-queries.ts";
import { demonstrationFleet, type FleetDevice } from "./plants/fleet.ts";

export interface SimulatedFleet {
  start(): void;
  stop(): Promise<void>;
}

const program = programFile("simulator/src/main.ts");

/** Longest past to write; it begins when the first device was installed. */
const history = "400d";

/** The fleet's message after writing the past: the periods in which devices were silent. */
const PastWritten = z.object({
  past: z.object({
    silences: z.array(z.object({ deviceSnId: z.string(), from: z.number(), to: z.number() })),
  }),
});

/** Delays before a crashed fleet is restarted, in milliseconds: doubled each time, reset after a minute of running. */
const restart = { first: 1_000, longest: 60_000, forgottenAfter: 60_000 };
/** Time until a fleet that ignores SIGTERM is killed, milliseconds. */
const killDelay = 3_000;

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

const endOf = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (hasEnded(child)) resolve();
    else child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });

interface Needs extends Pick<World, "db" | "bus" | "clock" | "log"> {
  telemetry: Parameters<typeof completePast>[0]["telemetry"];
}

/** Completes the past when the fleet reports that it is written. */
const completePastWhenWritten = (
  child: ChildProcess,
  needs: Needs,
  fleet: readonly FleetDevice[],
  begun: Date,
): void => {
  const gone = fleet.flatMap(({ deviceSnId, until }) => (until ? [{ deviceSnId, from: until, to: null }] : []));
  child.on("message", (message) => {
    const { data } = PastWritten.safeParse(message);
    if (!data) return;
    completePast(needs, begun, [...data.past.silences, ...gone]).then(
      () => needs.log.info("The demonstration's past is complete"),
      (fault: unknown) =>
        needs.log.error(
          { err: fault },
          "Could not complete the demonstration's past: its old alerts lack confirmations or messages. It is tried again at the next start",
        ),
    );
  });
};

/**
 * Runs the demonstration's devices in a separate process that speaks the device API, restarted when it dies. Devices and access tokens are passed on
 * standard input, so that they do not show in process lists.
 */
export const createSimulatedFleet = (needs: Needs, mqttUrl: () => string): SimulatedFleet => {
  const { db, clock, log } = needs;
  let child: ChildProcess | undefined;
  const stopping = new AbortController();
  const { signal } = stopping;

  const live = async (): Promise<void> => {
    const begun = await pastToWrite(db);
    const fleet = await demonstrationFleet(db, clock.date(), begun);
    if (fleet.length === 0 || signal.aborted) return;
    const past = begun ? ["--history", history] : [];
    child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", program, "-", ...past], {
      env: { ...process.env, TELLTALE_MQTT_URL: mqttUrl() },
      stdio: ["pipe", "pipe", "pipe", "ipc"],
    });
    if (begun) completePastWhenWritten(child, needs, fleet, begun);
    let last = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        last = text.trim();
        log.debug(`Simulated fleet: ${last}`);
      });
    }
    child.stdin?.on("error", () => undefined); // it died before reading all input
    child.stdin?.end(JSON.stringify(fleet));
    await endOf(child);
    if (!signal.aborted) log.warn({ last }, "The simulated fleet ended unexpectedly; restarting it");
  };
  const keepRunning = async (): Promise<void> => {
    for (let wait = restart.first; !signal.aborted; wait = Math.min(wait * 2, restart.longest)) {
      const since = clock.now();
      await live().catch((fault: unknown) =>
        log.warn({ err: fault }, "Could not start the simulated fleet; trying again"),
      );
      if (signal.aborted) return;
      if (clock.now() - since > restart.forgottenAfter) wait = restart.first;
      await sleep(wait, undefined, { signal }).catch(() => undefined);
    }
  };
  return {
    start: () => {
      if (existsSync(program)) void keepRunning();
    },
    stop: async () => {
      stopping.abort();
      if (!child || hasEnded(child)) return;
      child.kill("SIGTERM");
      const force = setTimeout(() => child?.kill("SIGKILL"), killDelay);
      await endOf(child);
      clearTimeout(force);
    },
  };
};
