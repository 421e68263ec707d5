import { ReadingStatus } from "@telltale/contract/domains/channels";
import type { AlertFacts } from "../../notify/index.ts";
import type { Block } from "../../readings/index.ts";
import type { BridgedDevice } from "../devices.ts";

/** A message to a broker. */
export interface Message {
  topic: string;
  payload: Buffer | string;
  /** How many readings and alerts it tells of. */
  count: number;
}

/** How values and alerts become messages, for one connection. Devices are those that the bridge publishes, by their ids. */
export interface Format {
  /** What the broker publishes when the connection is lost, and what is published before it is ended. */
  readonly farewell?: Message;
  /** Where commands arrive. */
  readonly commandTopic?: string;
  /** Whether a command asks for the births. */
  isRebirth?(payload: Buffer): boolean;
  /** What begins the connection, and answers a command for the births. */
  births?(devices: BridgedDevices): Promise<Message[]>;
  /** Which devices have come or gone, or have other channels than before. */
  changes?(devices: BridgedDevices): Promise<Message[]>;
  /** The readings of a block in their order. */
  readings(block: Block, devices: BridgedDevices): Promise<Iterable<Message>>;
  /** What has become of an alert. `time`: when it was queued. */
  alert(facts: AlertFacts, time: Date, devices: BridgedDevices): Promise<Iterable<Message>>;
}

export type BridgedDevices = ReadonlyMap<number, BridgedDevice>;

/** What the broker is told of a reading's status. */
export const statusText: Record<number, string> = {
  [ReadingStatus.alarm]: "alarm",
  [ReadingStatus.good]: "good",
  [ReadingStatus.noData]: "noData",
};

/** A text as one level of a topic: characters with a meaning in topics, and those that brokers refuse, become underscores. */
export const topicLevel = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[+#/\p{Cc}]/gu, "_")
    .replace(/^$/, "_");
