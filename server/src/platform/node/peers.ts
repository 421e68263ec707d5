import type { FileStore } from "../files/shared-files.ts";

/** What a request to other nodes carries; any JSON value. */
export type Content = unknown;

/** A question to another node, or its answer, does not fit into one message. */
export class MessageTooLarge extends Error {}

/** The other nodes of the cluster. Messages may be lost: what must not be lost is in the database. */
export interface Peers {
  /** Sends to the other nodes that listen for `subject`. */
  publish(subject: string, content: Content): void;
  /** Sends a list to the other nodes that listen for `subject`. They get it as several lists when it is too large for one message. */
  publishList(subject: string, items: readonly Content[]): void;
  /** Listens; returns the function that ends it. Own messages are not received. */
  listen(subject: string, listener: (content: Content) => void): () => void;
  /**
   * Asks the other nodes; returns the first answer, undefined when none has one within `timeout` milliseconds. Throws MessageTooLarge when the question
   * or the answer is.
   */
  ask(subject: string, content: Content, timeout: number): Promise<Content | undefined>;
  /** Asks the other nodes; gives the answers as they come, at most `most`, until `timeout` milliseconds have passed. */
  askAll(subject: string, content: Content, limits: { most: number; timeout: number }): AsyncIterable<Content>;
  /** Answers the other nodes' questions; a node that returns undefined leaves the answer to the others. Returns the function that ends it. */
  answer(subject: string, answerer: (content: Content) => Promise<Content | undefined>): () => void;
  /** The files that all nodes have in common; absent where there are no other nodes. */
  files?(storeId: string): FileStore;
}

const nothing = (): void => undefined;

/** Those of a server that has its database to itself. */
export const noPeers: Peers = {
  publish: nothing,
  publishList: nothing,
  listen: () => nothing,
  ask: async () => undefined,
  askAll: async function* () {},
  answer: () => nothing,
};
