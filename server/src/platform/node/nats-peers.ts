import { NoRespondersError, TimeoutError } from "@nats-io/transport-node";
import type { Logger } from "pino";
import { Gauge, type Registry } from "prom-client";
import { type Link, openLink } from "./nats-connection.ts";
import { natsFiles } from "./nats-files.ts";
import { contentOf, createPublisher, questionOf, respond } from "./nats-messages.ts";
import { MessageTooLarge, type Peers } from "./peers.ts";

type Needs = Parameters<typeof openLink>[0] & {
  /** What the nodes of this cluster have in common; others may use the same NATS. */
  clusterId: string;
  metrics: Registry;
};

/** The other nodes, by NATS. */
export interface NatsPeers extends Peers {
  stop(): Promise<void>;
}

/** Whether no node has answered, as opposed to a fault. */
const isUnanswered = (fault: unknown): boolean => {
  const cause = fault instanceof Error ? fault.cause : undefined;
  return [fault, cause].some((each) => each instanceof TimeoutError || each instanceof NoRespondersError);
};

const asker =
  (link: Link, subjectOf: (subject: string) => string, log: Logger): Peers["ask"] =>
  async (subject, content, timeout) => {
    const connection = link.current();
    if (!connection) return undefined;
    try {
      return contentOf(await connection.request(subjectOf(subject), questionOf(connection, content), { timeout }));
    } catch (fault) {
      if (fault instanceof MessageTooLarge) throw fault;
      if (!isUnanswered(fault)) log.warn({ err: fault }, "Could not ask the other nodes");
      return undefined;
    }
  };

const allAsker = (link: Link, subjectOf: (subject: string) => string, log: Logger): Peers["askAll"] =>
  async function* (subject, content, { most, timeout }) {
    const connection = link.current();
    if (most === 0 || !connection) return;
    const options = { strategy: "count", maxMessages: most, maxWait: timeout } as const;
    try {
      const answers = await connection.requestMany(subjectOf(subject), questionOf(connection, content), options);
      for await (const answer of answers) yield contentOf(answer);
    } catch (fault) {
      if (!isUnanswered(fault)) log.warn({ err: fault }, "Could not ask the other nodes");
    }
  };

/** Connects to NATS, as far as that is possible now. Throws when NATS refuses the credentials. */
export const openNatsPeers = async (needs: Needs): Promise<NatsPeers> => {
  const { clusterId, log, metrics } = needs;
  const link = await openLink(needs);
  const subjectOf = (subject: string): string => `telltale.${clusterId}.${subject}`;
  new Gauge({
    name: "telltale_nats_connected",
    help: "1 while this node is connected to NATS, by which consoles get live values of other nodes' devices",
    registers: [metrics],
    collect() {
      this.set(link.current() ? 1 : 0);
    },
  });
  return {
    ...createPublisher({ link, log, metrics, subjectOf }),
    listen: (subject, listener) => link.subscribe(subjectOf(subject), (message) => listener(contentOf(message))),
    ask: asker(link, subjectOf, log),
    askAll: allAsker(link, subjectOf, log),
    answer: (subject, answerer) =>
      link.subscribe(
        subjectOf(subject),
        (message) => void respond({ link, log }, message, answerer(contentOf(message))),
      ),
    files: (storeId) => natsFiles(link, storeId),
    stop: link.stop,
  };
};
