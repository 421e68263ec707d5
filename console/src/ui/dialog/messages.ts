/** A message of the application, shown for a few seconds. Its sentence identifies it. */
export interface Message {
  sentence: string;
  /** A warning is announced at once. */
  kind: "warning" | "notice";
}

let messages: readonly Message[] = [];
const listeners = new Set<() => void>();

const change = (next: readonly Message[]): void => {
  messages = next;
  for (const listener of listeners) listener();
};

const without = (sentence: string) => messages.filter((message) => message.sentence !== sentence);

/** All messages, the oldest first. */
export const currentMessages = (): readonly Message[] => messages;

export const onMessages = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Removes a message that is no longer true. */
export const withdraw = (sentence: string): void => {
  if (messages.some((message) => message.sentence === sentence)) change(without(sentence));
};

/** A message that is already on screen is announced again and its display time restarts. */
const show = (message: Message): void => change([...without(message.sentence), message]);

/** Shows a warning: an error of the server, or a missing input. Identical messages are shown once. */
export const warn = (sentence: string): void => show({ sentence, kind: "warning" });

/** Shows a success message. */
export const inform = (sentence: string): void => show({ sentence, kind: "notice" });
