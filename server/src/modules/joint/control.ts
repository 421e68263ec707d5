import { setTimeout as sleep } from "node:timers/promises";
import { CommandStatus } from "@telltale/contract/domains/joint";
import { LiveCommand } from "@telltale/contract/live";
import { type CallDevice, CallFailed, refusalIn } from "../../platform/device-calls.ts";
import type { World } from "../../world.ts";
import { type DueCommand, dueCommands, forgetOldCommands, repeatNewest, settleCommand } from "./command-queries.ts";
import { resendDelay } from "./rules.ts";
import { settle } from "./settle-queries.ts";

/** Drives the outputs that rules name. */
export interface JointControl {
  start(): void;
  stop(): Promise<void>;
  /** Settles what is due, with `all` looking at every rule, and sends the commands that are due now; does not wait for the answers. */
  run(all?: boolean): Promise<void>;
}

interface Needs extends Pick<World, "db" | "bus" | "clock" | "log"> {
  callDevice: CallDevice;
}

/** How often it is looked whether a command can be sent, and whether every rule is as it was settled; milliseconds. */
const every = { look: 1_000, compare: 5_000, forget: 3_600_000 } as const;
/** Commands are kept this long. */
const keep = 90 * 86_400_000;
/** How long a stop waits for answers that are on their way, milliseconds. */
const patience = 500;

/** Sends one command and writes what became of it. A device that is away is tried again at the next look. */
const send = async ({ db, bus, clock, callDevice }: Needs, command: DueCommand): Promise<void> => {
  const { command_id, plant_id, device_id, channel_cn, level, tries } = command;
  const outcome = async () => {
    try {
      const refusal = refusalIn(await callDevice(device_id, "setOutput", { channel: channel_cn, value: level }));
      const status = refusal === undefined ? CommandStatus.confirmed : CommandStatus.refused;
      return { status, settled_time: clock.date(), reason: refusal ?? "" };
    } catch (fault) {
      if (!(fault instanceof CallFailed)) throw fault;
      if (fault.reason === "not-connected") return undefined;
      return { reason: fault.message, tries: tries + 1, next_time: new Date(clock.now() + resendDelay(tries)) };
    }
  };
  const written = await outcome();
  if (!written) return;
  await settleCommand(db, command_id, written);
  bus.emit("live", { plantId: plant_id, message: { cmd: LiveCommand.jointChange } });
};

/** Rounds of settling and sending, one at a time. */
const createRounds = (needs: Needs) => {
  const { db, bus, clock, log } = needs;
  const underway = new Map<number, Promise<void>>();
  const connected = new Set<number>();
  let running: Promise<void> | undefined;
  let asked: { all: boolean } | undefined;
  let isStopped = false;

  const sendDue = async (): Promise<void> => {
    for (const command of await dueCommands(db, clock.date(), [...underway.keys()])) {
      const sending = send(needs, command)
        .catch((fault: unknown) => log.warn({ err: fault, commandId: command.command_id }, "An output was not driven"))
        .finally(() => underway.delete(command.command_id));
      underway.set(command.command_id, sending);
    }
  };
  const round = async (all: boolean): Promise<void> => {
    const plants = await db.transaction().execute((trx) => settle(trx, clock.date(), all));
    for (const plantId of plants) bus.emit("live", { plantId, message: { cmd: LiveCommand.jointChange } });
    const devices = [...connected];
    connected.clear();
    await repeatNewest(db, devices, clock.date());
    await sendDue();
  };
  const next = async (): Promise<void> => {
    const { all } = asked ?? { all: false };
    asked = undefined;
    await round(all);
  };
  return {
    /** A device listens for commands now: it is told its newest again by the next round. */
    connected: (deviceId: number) => connected.add(deviceId),
    /** Whoever asks while a round is under way gets the next one, which sees all that was there when it was asked. */
    run: async (all = false): Promise<void> => {
      asked = { all: all || (asked?.all ?? false) };
      while (asked && !isStopped) {
        running ??= next().finally(() => {
          running = undefined;
        });
        await running;
      }
      // Another one who waited has begun it.
      await running;
    },
    /** Answers that are still to come are not waited for: their commands wait in the database. */
    stop: async (): Promise<void> => {
      isStopped = true;
      await running?.catch(() => undefined);
      await Promise.race([Promise.all(underway.values()), sleep(patience)]);
    },
  };
};

/** Watches what alerts leave behind for joint control, and sends commands until their devices answer. */
export const createJointControl = (needs: Needs): JointControl => {
  const { db, bus, clock, log } = needs;
  const rounds = createRounds(needs);
  const inBackground = (work: () => Promise<void>, what: string) => () =>
    void work().catch((fault: unknown) => log.warn({ err: fault }, what));
  const look = inBackground(() => rounds.run(), "Joint control could not look; tried again soon");
  const compare = inBackground(() => rounds.run(true), "Joint control could not compare; tried again soon");
  const old = () => forgetOldCommands(db, new Date(clock.now() - keep));
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
        bus.on("deviceReady", ({ deviceId }) => {
          rounds.connected(deviceId);
          look();
        }),
      );
      timers.push(setInterval(look, every.look), setInterval(compare, every.compare));
      timers.push(setInterval(inBackground(old, "Old commands could not be removed"), every.forget));
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
