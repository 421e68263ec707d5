import { setTimeout as sleep } from "node:timers/promises";
import { CommandStatus } from "@telltale/contract/domains/joint";
import { LiveCommand } from "@telltale/contract/live";
import { type CallDevice, CallFailed, refusalIn } from "../../platform/device-calls.ts";
import type { World } from "../../world.ts";
import { type DueCommand, deleteOldCommands, dueCommands, repeatNewest, settleCommand } from "./command-queries.ts";
import { resendDelay } from "./rules.ts";
import { settle } from "./settle-queries.ts";

/** Drives the outputs named by rules. */
export interface JointControl {
  start(): void;
  stop(): Promise<void>;
  /** Settles what is due (with `all`, every rule) and sends due commands without waiting for the answers. */
  run(all?: boolean): Promise<void>;
}

interface Needs extends Pick<World, "db" | "bus" | "clock" | "log"> {
  callDevice: CallDevice;
}

/** Intervals for sending commands, comparing all rules with their outputs, and removing old commands; milliseconds. */
const every = { look: 1_000, compare: 5_000, forget: 3_600_000 } as const;
/** How long commands are kept. */
const keep = 90 * 86_400_000;
/** How long a stop waits for answers in flight, milliseconds. */
const stopTimeout = 500;

/** A command of a device that is not connected waits until it connects, or so many milliseconds: the message of its connection may get lost. */
const away = 10_000;

/** How soon a command is tried again whose device may have connected while it was tried, milliseconds. */
const justNow = 1_000;

/** Sends one command and records the result. `connections`: number of connections of devices so far. */
const send = async (
  { db, bus, clock, callDevice }: Needs,
  command: DueCommand,
  connections: () => number,
): Promise<void> => {
  const { command_id, plant_id, device_id, channel_cn, level, tries } = command;
  const before = connections();
  const outcome = async () => {
    try {
      const refusal = refusalIn(await callDevice(device_id, "setOutput", { channel: channel_cn, value: level }));
      const status = refusal === undefined ? CommandStatus.confirmed : CommandStatus.refused;
      return { status, settled_time: clock.date(), reason: refusal ?? "" };
    } catch (fault) {
      if (!(fault instanceof CallFailed)) throw fault;
      if (fault.reason === "not-connected") {
        return { next_time: new Date(clock.now() + (connections() === before ? away : justNow)) };
      }
      return { reason: fault.message, tries: tries + 1, next_time: new Date(clock.now() + resendDelay(tries)) };
    }
  };
  const written = await outcome();
  await settleCommand(db, command_id, written);
  if (!("reason" in written)) return;
  bus.emit("live", { plantId: plant_id, message: { cmd: LiveCommand.jointChange } });
};

/**
 * How long no poll of a device may have begun, on any node, until it counts as having been away, milliseconds: as long as the longest poll, and a minute
 * for what it brought. Otherwise each poll would bring a confirmed command again, and its answer the next poll.
 */
const unpolledFor = 120_000;

/** Returns a function that takes the polls of devices as they begin, and returns whether the device was away before. */
const createPollWatch = (clock: World["clock"]): ((deviceId: number) => boolean) => {
  const began = new Map<number, number>();
  return (deviceId) => {
    const [last, now] = [began.get(deviceId), clock.steady()];
    began.set(deviceId, now);
    return last === undefined || now - last > unpolledFor;
  };
};

/** Creates the rounds of settling and sending, one at a time. */
const createRounds = (needs: Needs) => {
  const { db, bus, clock, log } = needs;
  const underway = new Map<number, Promise<void>>();
  /** The devices that have come to accept commands since the last round, by whether they were away before. */
  const ready = new Map<number, boolean>();
  let connections = 0;
  let running: Promise<void> | undefined;
  let requested: { all: boolean } | undefined;
  let isStopped = false;

  const noteReady = (deviceId: number, wasAway: boolean): void => {
    ready.set(deviceId, wasAway || (ready.get(deviceId) ?? false));
  };
  const sendDue = async (): Promise<void> => {
    for (const command of await dueCommands(db, clock.date(), [...underway.keys()])) {
      const sending = send(needs, command, () => connections)
        .catch((fault: unknown) =>
          log.warn({ err: fault, commandId: command.command_id }, "Could not send a command to an output; retrying"),
        )
        .finally(() => underway.delete(command.command_id));
      underway.set(command.command_id, sending);
    }
  };
  const round = async (all: boolean): Promise<void> => {
    const plants = await db.transaction().execute((trx) => settle(trx, clock.date(), all));
    for (const plantId of plants) bus.emit("live", { plantId, message: { cmd: LiveCommand.jointChange } });
    const devices = new Map(ready);
    ready.clear();
    await repeatNewest(db, devices, clock.date()).catch((fault: unknown) => {
      for (const [deviceId, wasAway] of devices) noteReady(deviceId, wasAway);
      throw fault;
    });
    await sendDue();
  };
  const next = async (): Promise<void> => {
    const { all } = requested ?? { all: false };
    requested = undefined;
    await round(all);
  };
  return {
    /** A device accepts commands now: the next round sends what waits for it, and after an absence its newest command again. */
    connected: (deviceId: number, wasAway: boolean): void => {
      connections += 1;
      noteReady(deviceId, wasAway);
    },
    /** A call during a round gets the next one, which sees everything present at the time of the call. */
    run: async (all = false): Promise<void> => {
      requested = { all: all || (requested?.all ?? false) };
      while (requested && !isStopped) {
        running ??= next().finally(() => {
          running = undefined;
        });
        await running;
      }
      // Another waiting call has started it.
      await running;
    },
    /** Answers in flight are not awaited: their commands stay in the database. */
    stop: async (): Promise<void> => {
      isStopped = true;
      await running?.catch(() => undefined);
      await Promise.race([Promise.all(underway.values()), sleep(stopTimeout)]);
    },
  };
};

/** Creates the joint control, which reacts to events left by alerts and sends commands until devices answer. */
export const createJointControl = (needs: Needs): JointControl => {
  const { db, bus, clock, log } = needs;
  const rounds = createRounds(needs);
  const wasAway = createPollWatch(clock);
  const inBackground = (work: () => Promise<void>, what: string) => () =>
    void work().catch((fault: unknown) => log.warn({ err: fault }, what));
  const look = inBackground(
    () => rounds.run(),
    "Joint control: could not settle rules or send commands; trying again in a second",
  );
  const compare = inBackground(
    () => rounds.run(true),
    "Joint control: could not compare rules with their outputs; trying again in 5 seconds",
  );
  const old = () => deleteOldCommands(db, new Date(clock.now() - keep));
  const unsubscribe: (() => void)[] = [];
  const timers: NodeJS.Timeout[] = [];
  return {
    run: rounds.run,
    start: () => {
      unsubscribe.push(
        bus.on("live", ({ message }) => message.cmd === LiveCommand.alertChange && look()),
        bus.on("jointRules", ({ plantId }) => {
          bus.emit("live", { plantId, message: { cmd: LiveCommand.jointChange } });
          compare();
        }),
        bus.on("deviceReady", ({ deviceId, isPoll = false }) => {
          rounds.connected(deviceId, !isPoll || wasAway(deviceId));
          look();
        }),
      );
      timers.push(setInterval(look, every.look), setInterval(compare, every.compare));
      timers.push(
        setInterval(
          inBackground(old, "Joint control: could not remove old commands; trying again in an hour"),
          every.forget,
        ),
      );
      for (const timer of timers) timer.unref();
      compare();
    },
    stop: async () => {
      for (const off of unsubscribe.splice(0)) off();
      for (const timer of timers) clearInterval(timer);
      await rounds.stop();
    },
  };
};
