import type { LiveCommand, LiveMessage } from "@telltale/contract/live";
import { createContext, useContext, useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { serverTimeAt } from "../../ui/server-time.ts";
import type { Link } from "./live-link.ts";

export type Command = (typeof LiveCommand)[keyof typeof LiveCommand];
export type MessageOf<C extends Command> = Extract<LiveMessage, { cmd: C }>;

/** The session's live socket as screens use it. */
export interface Live {
  link: () => Link;
  subscribe: (listener: () => void) => () => void;
  /** Subscribes to every message; returns the unsubscribe function. */
  listen: (listener: (message: LiveMessage) => void) => () => void;
  /** Has the values of these channels sent; returns the function that ends it. */
  watch: (channelIds: readonly number[]) => () => void;
  /** Connects anew, now. */
  retry: () => void;
}

export const LiveContext = createContext<Live | undefined>(undefined);

const useLiveContext = (): Live => {
  const live = useContext(LiveContext);
  if (!live) throw new Error("There is no live connection here");
  return live;
};

/** Has the values of these channels sent while the component is mounted: a page gets those of no others. */
export const useWatchedChannels = (channelIds: readonly number[]): void => {
  const { watch } = useLiveContext();
  const key = channelIds.join();
  useEffect(() => watch(key === "" ? [] : key.split(",").map(Number)), [watch, key]);
};

/**
 * Calls the handler for every live message with this command, or one of these, while the component is mounted. Values come of the channels only that
 * `useWatchedChannels` names.
 */
export const useLive = <C extends Command>(cmd: C | readonly C[], handler: (message: MessageOf<C>) => void): void => {
  const { listen } = useLiveContext();
  const onMessage = useEffectEvent((message: LiveMessage) => {
    const cmds: readonly Command[] = typeof cmd === "string" ? [cmd] : cmd;
    if (cmds.some((each) => each === message.cmd)) handler(message as MessageOf<C>);
  });
  useEffect(() => listen(onMessage), [listen]);
};

export interface LiveState {
  state: "live" | "reconnecting";
  /** When the last message arrived, by the server's clock, epoch milliseconds; updated at most once a second. */
  lastMessageAt: number | null;
  /** When the next connection attempt starts; null while one is in progress. */
  retryAt: number | null;
}

/** A time as it is shown: by the server's clock. */
const told = (time: number | null): number | null => (time === null ? null : serverTimeAt(time));

/** Whether live values are arriving. */
export const useLiveState = (): LiveState => {
  const { subscribe, link } = useLiveContext();
  const { phase, lastMessageAt, retryAt, lostAt } = useSyncExternalStore(subscribe, link);
  const state = phase === "live" && lostAt === null ? "live" : "reconnecting";
  return { state, lastMessageAt: told(lastMessageAt), retryAt };
};

/** From when the values on screen are, by the server's clock, in epoch milliseconds, while the connection is lost; null while they are live. */
export const useLostAt = (): number | null => {
  const { subscribe, link } = useLiveContext();
  return useSyncExternalStore(subscribe, () => told(link().lostAt));
};

/** Whether the connection is lost: nothing on screen is live then, and nothing is confirmed. */
export const useIsLost = (): boolean => useLostAt() !== null;

/** Connects anew, now. */
export const useRetryLive = (): (() => void) => useLiveContext().retry;
