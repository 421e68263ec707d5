import { LiveCommand, type LiveMessage } from "@telltale/contract/live";
import { textFrame } from "./frame.ts";

/** What a message is about; a later message replaces an earlier one of the same subject. */
type Subject = number | string;

/** A message ready to be sent to any number of sockets. */
export interface Frame {
  subject: Subject;
  message: LiveMessage;
  bytes: Buffer;
  /** The same without what has changed since the message before, for sockets that do not get that one, or do not see all that it depends on. */
  readonly alone: Frame;
}

/** The subject of a message. */
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
    case LiveCommand.recordChange:
      return message.record;
  }
};

/** A message without what is complete only for who gets all messages before it, and sees all of the plant. */
const withoutChanges = (message: LiveMessage): LiveMessage => {
  if (message.cmd !== LiveCommand.alertChange || !message.log) return message;
  const { log, ...state } = message;
  return state;
};

/** Encodes a message as a frame. */
export const frameOf = (message: LiveMessage): Frame => {
  let alone: Frame | undefined;
  const frame: Frame = {
    subject: subjectOf(message),
    message,
    bytes: textFrame(JSON.stringify(message)),
    get alone() {
      const state = withoutChanges(message);
      alone ??= state === message ? frame : frameOf(state);
      return alone;
    },
  };
  return frame;
};

/** Messages of one plant queued for the next round: the newest of each subject. */
export interface Pending {
  /** Adds a message; returns whether it replaced an older one. */
  add(message: LiveMessage): boolean;
  readonly isEmpty: boolean;
  /** Takes all messages, in order of the first occurrence of their subjects. */
  take(): Frame[];
}

export const createPending = (): Pending => {
  let messages = new Map<Subject, LiveMessage>();
  return {
    add: (message) => {
      const subject = subjectOf(message);
      const isReplaced = messages.has(subject);
      messages.set(subject, isReplaced ? withoutChanges(message) : message);
      return isReplaced;
    },
    get isEmpty() {
      return messages.size === 0;
    },
    take: () => {
      const taken = messages;
      messages = new Map();
      return Array.from(taken.values(), frameOf);
    },
  };
};
