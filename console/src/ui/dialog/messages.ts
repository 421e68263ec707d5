/** A message of the application, shown for a few seconds. Its sentence identifies it. */
export interface Message {
  sentence: string;
  /** A warning is announced at once. */
  kind: "warning" | "notice";
  /** From `performance.now()`. */
  since: number;
}

/** One that goes sooner is a flash that nobody can read, milliseconds. */
const readable = 2_000;

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

/** Removes a message that is no longer true, but not before it could be read. One that is shown again meanwhile stays. */
export const withdrawOnceRead = (sentence: string): void => {
  const shown = messages.find((message) => message.sentence === sentence);
  if (!shown) return;
  const end = () => {
    if (messages.includes(shown)) withdraw(sentence);
  };
  setTimeout(end, shown.since + readable - performance.now());
};

/** A message that is already on screen is announced again and its display time restarts. */
const show = (message: Message): void => change([...without(message.sentence), message]);

/** Shows a warning: an error of the server, or a missing input. Identical messages are shown once. */
export const warn = (sentence: string): void => show({ sentence, kind: "warning", since: performance.now() });

/** Shows a success message. */
export const inform = (sentence: string): void => show({ sentence, kind: "notice", since: performance.now() });
