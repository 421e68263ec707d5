import { type LiveWatch, mostWatched } from "@telltale/contract/live";

/** Channels that a client has named. Clients with the same key have named the same. */
export interface Watched {
  key: string;
  channelIds: ReadonlySet<number>;
}

/** All values of the plant. */
export const everything = "everything";

const isWatch = (message: unknown): message is LiveWatch =>
  typeof message === "object" && message !== null && "cmd" in message && message.cmd === "watch";

const areIds = (given: unknown): given is number[] =>
  Array.isArray(given) && given.length <= mostWatched && given.every(Number.isSafeInteger);

/** The channels that a client's message names; undefined when it is another message, or not valid. */
const watchedIn = (text: string): Watched | typeof everything | undefined => {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isWatch(message)) return undefined;
  const { deviceChannelIds } = message;
  if (deviceChannelIds === undefined) return everything;
  if (!areIds(deviceChannelIds)) return undefined;
  const channelIds = new Set(deviceChannelIds);
  return { key: [...channelIds].sort((a, b) => a - b).join(), channelIds };
};

/** Least time between two messages of a client that are evaluated, milliseconds: of those in between the last one counts. */
const pause = 50;

/** Returns a function that takes a client's messages, and calls `onWatch` with the channels that they name. */
export const createWatchReader = (
  onWatch: (watched: Watched | typeof everything) => void,
): ((text: string) => void) => {
  let waiting: string | undefined;
  let isResting = false;
  const read = (text: string): void => {
    const watched = watchedIn(text);
    if (watched) onWatch(watched);
    isResting = true;
    setTimeout(() => {
      isResting = false;
      const next = waiting;
      waiting = undefined;
      if (next !== undefined) read(next);
    }, pause).unref();
  };
  return (text) => {
    if (isResting) waiting = text;
    else read(text);
  };
};
