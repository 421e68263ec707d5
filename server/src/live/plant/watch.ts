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

/** The channels that a client's message names, all when it names none; undefined when it is another message, or not valid. */
const namedIn = (text: string): readonly number[] | typeof everything | undefined => {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isWatch(message)) return undefined;
  const { deviceChannelIds = everything } = message;
  return deviceChannelIds === everything || areIds(deviceChannelIds) ? deviceChannelIds : undefined;
};

const watchedOf = (named: readonly number[] | typeof everything): Watched | typeof everything => {
  if (named === everything) return everything;
  const channelIds = new Set(named);
  return { key: [...channelIds].sort((a, b) => a - b).join(), channelIds };
};

/** Least time between two messages of a client that are evaluated, milliseconds: of the valid ones in between the last one counts. */
const pause = 50;

/** Returns a function that takes a client's messages, and calls `onWatch` with the channels that they name. */
export const createWatchReader = (
  onWatch: (watched: Watched | typeof everything) => void,
): ((text: string) => void) => {
  let waiting: readonly number[] | typeof everything | undefined;
  let isResting = false;
  const evaluate = (named: readonly number[] | typeof everything): void => {
    onWatch(watchedOf(named));
    isResting = true;
    setTimeout(() => {
      isResting = false;
      const next = waiting;
      waiting = undefined;
      if (next !== undefined) evaluate(next);
    }, pause).unref();
  };
  return (text) => {
    const named = namedIn(text);
    if (named === undefined) return;
    if (isResting) waiting = named;
    else evaluate(named);
  };
};
