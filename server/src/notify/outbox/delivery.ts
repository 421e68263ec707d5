import { type MessageKind, notificationChannels } from "@telltale/contract/notification-channels";
import { Counter } from "prom-client";
import { createSetBackWatch } from "../../platform/clock.ts";
import { soleJob } from "../../platform/jobs/with-job-metrics.ts";
import type { World } from "../../world.ts";
import type { NotificationChannel, Pace } from "../channels/channel.ts";
import { type ChannelNeeds, createChannels } from "../channels/index.ts";
import { SendingRefused } from "../channels/send-refused.ts";
import { requiredOpenAlert } from "../letters/message.ts";
import { holdFloods, holdQuiet, recallDigests, writeDigests } from "./folds.ts";
import {
  deleteOldMessages,
  dropMessage,
  dueTurns,
  giveUpUncertain,
  hasOpenMessages,
  isOpenAlert,
  type QueuedMessage,
  recallMessages,
  retryPeriod,
  settle,
  settleSent,
  type Turn,
  takeMessages,
} from "./queries.ts";

const first = 5_000;
const longest = 3_600_000;

/** Delay before the next try in milliseconds, after `tries` failures: doubles from 5 seconds to an hour. */
const retryDelay = (tries: number): number => Math.min(first * 2 ** Math.max(tries - 1, 0), longest);

/** Sends the messages in the outbox. */
export interface Delivery {
  start(): void;
  stop(): Promise<void>;
  /** Sends everything that is due now. */
  run(): Promise<void>;
}

interface Needs extends Pick<World, "db" | "clock" | "log" | "metrics" | "node" | "publicUrl">, ChannelNeeds {}

/** Polling interval of the outbox, milliseconds. */
const every = 1_000;
const usualPace: Pace = { atOnce: 5, planned: 50, perPlant: 50 };

type Outcome = "sent" | "kept" | "failed" | "delayed" | "forgone" | "uncredited";

/** Whether the message has failed for good: the refusal was final, its outcome is unknown, or it is too old. */
const classifyFault = (
  message: QueuedMessage,
  { fault, reason }: { fault: unknown; reason: string },
  isHandedOver: boolean,
  now: number,
) => {
  const isUncertain = isHandedOver && !(fault instanceof SendingRefused);
  const isOver =
    (fault instanceof SendingRefused && fault.isFinal) || now - message.created_time.getTime() > retryPeriod;
  const why = isUncertain ? `Unknown whether it arrived: ${reason}` : reason;
  return { isFailed: isUncertain || isOver, isUncertain, why };
};

/** This sender stood still for longer than its lease: the message is another sender's now, and must not be sent twice. */
class TakenByAnother extends Error {}

/** Records why a message was not sent, and whether it will be retried. */
const recordFault = async (
  { db, clock, log }: Needs,
  channel: NotificationChannel,
  message: QueuedMessage,
  fault: unknown,
  isHandedOver: boolean,
): Promise<Outcome> => {
  const { message_id: id, tries, kind } = message;
  const reason = channel.reasonOf?.(fault) ?? String(fault);
  const { isFailed, isUncertain, why } = classifyFault(message, { fault, reason }, isHandedOver, clock.now());
  log.warn(
    { err: fault, messageId: id, kind, tries },
    `${isFailed ? "A message was not sent and is given up" : "A message was not sent; it will be retried"}`,
  );
  const status = isFailed ? "failed" : "waiting";
  const next_time = new Date(clock.now() + retryDelay(tries));
  await db.transaction().execute(async (trx) => {
    const outcome = { status, fault: why, handed_over: isFailed && isHandedOver, next_time } as const;
    const isSettled = await settle(trx, message, outcome);
    if (isSettled && isFailed && !isUncertain) await channel.giveBack?.(trx, message);
  });
  if (fault instanceof SendingRefused && fault.isUnwanted) await channel.onUnwanted?.(message.recipient);
  return isFailed ? "failed" : "delayed";
};

/** Drops a message that is no longer needed, with the refund of what an earlier try has charged. */
const forgo = ({ db }: Needs, channel: NotificationChannel, message: QueuedMessage): Promise<Outcome> =>
  db.transaction().execute(async (trx) => {
    if (!(await dropMessage(trx, message))) return "delayed";
    await channel.giveBack?.(trx, message);
    return "forgone";
  });

const deliver = async (needs: Needs, channel: NotificationChannel, message: QueuedMessage): Promise<Outcome> => {
  const { db, clock } = needs;
  const alertId = requiredOpenAlert(message);
  if (alertId !== null && !(await isOpenAlert(db, alertId))) return forgo(needs, channel, message);
  if (channel.admit && !(await channel.admit(message))) return "uncredited";
  if (!channel.send) {
    await settle(db, message, { status: "kept", sent_time: clock.date() });
    return "kept";
  }
  let isHandedOver = false;
  try {
    await channel.send(message, async () => {
      if (!(await settle(db, message, { handed_over: true }))) throw new TakenByAnother();
      isHandedOver = true;
    });
  } catch (fault) {
    if (fault instanceof TakenByAnother) return "delayed";
    return recordFault(needs, channel, message, fault, isHandedOver);
  }
  await settleSent(db, message, clock.date());
  return "sent";
};

type Outcomes = Counter<"outcome">;

/** Sends the due messages of one kind, each at most once. */
const createRounds = (needs: Needs, kind: MessageKind, channel: NotificationChannel, outcomes: Outcomes) => {
  const { db, clock } = needs;
  const { atOnce, planned, perPlant } = channel.pace ?? usualPace;
  let isStopping = false;
  let running: Promise<void> | undefined;
  let after = 0;
  const round = async (turns: readonly Turn[]): Promise<void> => {
    const messages = await takeMessages(db, turns, clock.date());
    const results = await Promise.all(messages.map((message) => deliver(needs, channel, message)));
    for (const outcome of results) outcomes.inc({ outcome });
    after = turns.at(-1)?.plant ?? after;
  };
  /** A fault of a summary delays no other message. */
  const fold = async (): Promise<void> => {
    try {
      await writeDigests(db, kind, clock.date());
      await holdQuiet(db, kind, clock.date());
      await holdFloods(db, kind, clock.date());
    } catch (err) {
      needs.log.error({ err, kind }, "Could not fold messages about alerts into summaries; trying again in a second");
    }
  };
  const isSetBack = createSetBackWatch(clock);
  const runAll = async (): Promise<void> => {
    if (isSetBack()) {
      await recallMessages(db, kind, clock.date());
      await recallDigests(db, kind, clock.date());
    }
    await giveUpUncertain(db, kind, clock.date());
    let foldedAt = Number.NEGATIVE_INFINITY;
    for (;;) {
      // Also while there is always something due: an outbox that never becomes empty would otherwise never be folded.
      if (clock.steady() - foldedAt >= every) {
        await fold();
        foldedAt = clock.steady();
      }
      const now = clock.date();
      await channel.holdBack?.(now);
      const turns = await dueTurns(db, kind, { now, count: planned, perPlant, after });
      if (turns.length === 0) return;
      for (let at = 0; at < turns.length; at += atOnce) {
        if (isStopping) return;
        await round(turns.slice(at, at + atOnce));
      }
    }
  };
  const once = soleJob(needs, `outbox ${notificationChannels[kind].name}`, runAll, undefined, () =>
    hasOpenMessages(db, kind),
  );
  return {
    run: (): Promise<void> => {
      running ??= once().finally(() => {
        running = undefined;
      });
      return running;
    },
    stop: async (): Promise<void> => {
      isStopping = true;
      await running?.catch(() => undefined);
    },
  };
};

/** Creates the delivery. Mail and SMS are sent independently: a mail server that does not answer does not delay SMS, and vice versa. */
export const createDelivery = (needs: Needs): Delivery => {
  const { db, clock, log, metrics } = needs;
  const outcomes: Outcomes = new Counter({
    name: "telltale_outbox_messages_total",
    help: "Mails and SMS by what became of a try",
    labelNames: ["outcome"],
    registers: [metrics],
  });
  const kinds = createChannels(needs).map(([kind, channel]) => createRounds(needs, kind, channel, outcomes));
  const run = async (): Promise<void> => void (await Promise.all(kinds.map((rounds) => rounds.run())));
  const timers: NodeJS.Timeout[] = [];
  const inBackground = (work: () => Promise<unknown>, what: string) => () =>
    void work().catch((fault: unknown) => log.warn({ err: fault }, what));
  return {
    run,
    start: () => {
      const look = inBackground(run, "Could not send from the outbox; trying again in a second");
      const forget = inBackground(
        () => deleteOldMessages(db, clock.date()),
        "Could not remove old messages from the outbox; trying again in an hour",
      );
      timers.push(setInterval(look, every), setInterval(forget, 3_600_000));
      for (const timer of timers) timer.unref();
    },
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(kinds.map((rounds) => rounds.stop()));
    },
  };
};
