import { LiveCommand, type LiveMessage } from "@telltale/contract/live";
import { textFrame } from "./frame.ts";

/** What a message is about; a later one about the same replaces it. */
type Subject = number | string;

/** A message ready to be sent to any number of sockets. */
export interface Frame {
  subject: Subject;
  message: LiveMessage;
  bytes: Buffer;
}

/** Two messages about the same have the same. */
export const subjectOf = (message: LiveMessage): Subject => {
  switch (message.cmd) {
    case LiveCommand.value:
      return message.deviceChannelId;
    case LiveCommand.alertChange:
      return `alert ${message.deviceId}`;
    case LiveCommand.dashboardChange:
      return `dashboard ${message.deviceId} ${message.deviceChannelId}`;
    case LiveCommand.jointChange:
      return "joint";
  }
};

/** A message ready to be sent. */
export const frameOf = (message: LiveMessage): Frame => ({
  subject: subjectOf(message),
  message,
  bytes: textFrame(JSON.stringify(message)),
});

/** Messages of one plant that wait for the next sending: of each subject the newest. */
export interface Pending {
  /** Says whether an older message was replaced. */
  add(message: LiveMessage): boolean;
  /** Takes all, in the order in which their subjects came up. */
  take(): Frame[];
}

export const createPending = (): Pending => {
  let messages = new Map<Subject, LiveMessage>();
  return {
    add: (message) => {
      const subject = subjectOf(message);
      const isReplaced = messages.has(subject);
      messages.set(subject, message);
      return isReplaced;
    },
    take: () => {
      const taken = messages;
      messages = new Map();
      return Array.from(taken.values(), frameOf);
    },
  };
};
