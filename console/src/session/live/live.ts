import type { LiveCommand, LiveMessage } from "@telltale/contract/live";
import { createContext, useContext, useEffect, useEffectEvent, useSyncExternalStore } from "react";
import type { Link } from "./live-link.ts";

export type Command = (typeof LiveCommand)[keyof typeof LiveCommand];
export type MessageOf<C extends Command> = Extract<LiveMessage, { cmd: C }>;

/** The session's live socket as its screens see it. */
export interface Live {
  link: () => Link;
  subscribe: (listener: () => void) => () => void;
  /** Hears every message; returns how to stop. */
  listen: (listener: (message: LiveMessage) => void) => () => void;
}

export const LiveContext = createContext<Live | undefined>(undefined);

const useLiveContext = (): Live => {
  const live = useContext(LiveContext);
  if (!live) throw new Error("There is no live connection here");
  return live;
};

/** Calls the handler for every live message of this command, or of one of these, while the component is on screen. */
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
  /** When the last message came, epoch milliseconds; it moves at most once a second. */
  lastMessageAt: number | null;
  /** When the next attempt to connect starts; null while one is under way. */
  retryAt: number | null;
}

/** Whether live values are arriving. */
export const useLiveState = (): LiveState => {
  const { subscribe, link } = useLiveContext();
  const { phase, lastMessageAt, retryAt } = useSyncExternalStore(subscribe, link);
  return { state: phase === "live" ? "live" : "reconnecting", lastMessageAt, retryAt };
};
