import { headers, type Msg, type NatsConnection } from "@nats-io/transport-node";
import type { Logger } from "pino";
import { Counter, type Registry } from "prom-client";
import type { Link } from "./nats-connection.ts";
import { type Content, MessageTooLarge, type Peers } from "./peers.ts";

/** Largest message that NATS takes unless it says otherwise, bytes. */
const usualLimit = 1_048_576;

/** Largest message that NATS takes, bytes. Its client throws when it is given a larger one. */
const limitOf = (connection: NatsConnection): number => connection.info?.max_payload ?? usualLimit;

const encoded = (content: Content): string => JSON.stringify(content);

/** Why a text cannot be sent; undefined when it can. */
const excessOf = (connection: NatsConnection, text: string): string | undefined => {
  const [size, limit] = [Buffer.byteLength(text), limitOf(connection)];
  return size > limit ? `A message between nodes has ${size} bytes, and NATS takes ${limit} (max_payload)` : undefined;
};

/** The text of a question; throws MessageTooLarge. */
export const questionOf = (connection: NatsConnection, content: Content): string => {
  const text = encoded(content);
  const excess = excessOf(connection, text);
  if (excess) throw new MessageTooLarge(excess);
  return text;
};

/** Header in the place of an answer that is too large, so that the node that has asked need not wait for it. */
const tooLarge = "Telltale-Too-Large";

/** Sends the answer to another node's question, or that it is too large to be sent. Never throws: nobody waits for the result. */
export const respond = async (
  { link, log }: { link: Link; log: Logger },
  message: Msg,
  answering: Promise<Content | undefined>,
): Promise<void> => {
  try {
    const answer = await answering;
    const connection = link.current();
    if (answer === undefined || !connection) return;
    const text = encoded(answer);
    const excess = excessOf(connection, text);
    if (!excess) return void message.respond(text);
    log.warn(`An answer to another node could not be sent: ${excess}`);
    const instead = headers();
    instead.set(tooLarge, "1");
    message.respond("", { headers: instead });
  } catch (err) {
    log.warn({ err }, "Could not answer another node");
  }
};

/** The content of a message; throws MessageTooLarge in the place of an answer that was too large. */
export const contentOf = (message: Msg): Content => {
  if (message.headers?.has(tooLarge)) throw new MessageTooLarge("Another node's answer is larger than NATS takes");
  return message.json();
};

interface Needs {
  link: Link;
  log: Logger;
  metrics: Registry;
  subjectOf: (subject: string) => string;
}

/** Milliseconds between two lines of the log about what could not be sent. */
const quiet = 60_000;

/**
 * Publishes to the other nodes. Never throws: it is called from timers, where a fault would end the node; what cannot be sent is counted and logged.
 * What is published without a connection is dropped: the client would keep it and deliver it late.
 */
export const createPublisher = (needs: Needs): Pick<Peers, "publish" | "publishList"> => {
  const { link, log, metrics, subjectOf } = needs;
  const unsent = new Counter({
    name: "telltale_nats_unsent_total",
    help: "Messages to other nodes that could not be sent, as being larger than NATS' max_payload",
    registers: [metrics],
  });
  let quietUntil = Number.NEGATIVE_INFINITY;
  const attempt = (subject: string, send: (connection: NatsConnection, to: string) => void): void => {
    const connection = link.current();
    if (!connection) return;
    try {
      send(connection, subjectOf(subject));
    } catch (err) {
      unsent.inc();
      if (performance.now() < quietUntil) return;
      quietUntil = performance.now() + quiet;
      log.warn({ err, subject }, "A message to other nodes could not be sent; no further line about it for a minute");
    }
  };
  const publishList = (subject: string, items: readonly Content[]): void =>
    attempt(subject, (connection, to) => {
      const text = encoded(items);
      // Half of what NATS takes at most, and a quarter at best: large messages hold up those behind them.
      const parts = Math.ceil((Buffer.byteLength(text) * 4) / limitOf(connection));
      if (parts <= 2 || items.length === 1) return connection.publish(to, text);
      const length = Math.ceil(items.length / parts);
      for (let at = 0; at < items.length; at += length) publishList(subject, items.slice(at, at + length));
    });
  return {
    publish: (subject, content) => attempt(subject, (connection, to) => connection.publish(to, encoded(content))),
    publishList,
  };
};
