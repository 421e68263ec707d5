import { MessageKind } from "@telltale/contract/site";
import { Counter } from "prom-client";
import type { World } from "../world.ts";
import type { Letter } from "./letter.ts";
import { MailRefused, type MailSender } from "./mail.ts";
import { forgetOld, giveUpUncertain, type QueuedMessage, settle, settleSent, takeDue } from "./outbox-queries.ts";
import { patience, retryDelay } from "./retry.rules.ts";

/** Sends what lies in the outbox. */
export interface Delivery {
  start(): void;
  stop(): Promise<void>;
  /** Sends all that is due now. */
  run(): Promise<void>;
}

interface Needs extends Pick<World, "db" | "clock" | "log" | "metrics"> {
  /** Without one, mail is kept. */
  mail?: MailSender | undefined;
}

/** How often the outbox is looked into, milliseconds. */
const every = 1_000;
/** Messages sent side by side. */
const atOnce = 5;

type Outcome = "sent" | "kept" | "failed" | "delayed";

/** Whether it is over with this message: the answer was final, nobody knows whether it arrived, or it is too old. */
const fate = (message: QueuedMessage, fault: unknown, isHandedOver: boolean, now: number) => {
  const isUncertain = isHandedOver && !(fault instanceof MailRefused);
  const isOver = (fault instanceof MailRefused && fault.isFinal) || now - message.created_time.getTime() > patience;
  if (!isUncertain && !isOver) return { status: "waiting" as const, fault: String(fault) };
  const why = isUncertain ? "The connection was lost before the mail server's answer" : String(fault);
  return { status: "failed" as const, fault: why };
};

const deliver = async ({ db, clock, log, mail }: Needs, message: QueuedMessage): Promise<Outcome> => {
  const { message_id: id, tries } = message;
  // SMS have no provider yet: like mail without one they are kept, for the operator to see.
  if (message.kind !== MessageKind.mail || !mail) {
    await settle(db, id, { status: "kept" });
    return "kept";
  }
  let isHandedOver = false;
  try {
    await mail.send({
      recipient: message.recipient,
      subject: message.subject,
      letter: message.body as Letter,
      messageId: `<outbox-${id}-${message.created_time.getTime()}@telltale>`,
      onHandOver: async () => {
        await settle(db, id, { handed_over: true });
        isHandedOver = true;
      },
    });
  } catch (fault) {
    const { status, fault: why } = fate(message, fault, isHandedOver, clock.now());
    log.warn({ err: fault, messageId: id, tries }, status === "failed" ? "A mail was given up" : "A mail is delayed");
    const next_time = new Date(clock.now() + retryDelay(tries));
    await settle(db, id, { status, fault: why, handed_over: status === "failed" && isHandedOver, next_time });
    return status === "failed" ? "failed" : "delayed";
  }
  await settleSent(db, id, clock.date());
  return "sent";
};

/** Sends the outbox's messages one after the other as they are due, each once at most. */
export const createDelivery = (needs: Needs): Delivery => {
  const { db, clock, log, metrics } = needs;
  const outcomes = new Counter({
    name: "telltale_outbox_messages_total",
    help: "Mails and SMS by what became of a try",
    labelNames: ["outcome"],
    registers: [metrics],
  });
  const round = async (): Promise<number> => {
    const messages = await takeDue(db, clock.date(), atOnce);
    const results = await Promise.all(messages.map((message) => deliver(needs, message)));
    for (const outcome of results) outcomes.inc({ outcome });
    return messages.length;
  };
  const runAll = async (): Promise<void> => {
    await giveUpUncertain(db, clock.date());
    while (!isStopping && (await round()) > 0);
  };
  let isStopping = false;
  let running: Promise<void> | undefined;
  const run = (): Promise<void> => {
    running ??= runAll().finally(() => {
      running = undefined;
    });
    return running;
  };
  const timers: NodeJS.Timeout[] = [];
  const inBackground = (work: () => Promise<unknown>, what: string) => () =>
    void work().catch((fault: unknown) => log.warn({ err: fault }, what));
  return {
    run,
    start: () => {
      const look = inBackground(run, "The outbox could not be read; tried again soon");
      const forget = inBackground(() => forgetOld(db, clock.date()), "Old messages could not be removed");
      timers.push(setInterval(look, every), setInterval(forget, 3_600_000));
      for (const timer of timers) timer.unref();
    },
    stop: async () => {
      isStopping = true;
      for (const timer of timers) clearInterval(timer);
      await running?.catch(() => undefined);
    },
  };
};
