import { closedBySignOut, type LiveMessage } from "@telltale/contract/live";
import { afterClockChange, firstLink, type Link, type LinkEffect, type LinkEvent, nextLink } from "./live-link.ts";

export interface LiveNeeds {
  /** Returns the socket's address; called for each attempt, because the token may have changed. */
  address: () => string;
  onMessage: (message: LiveMessage) => void;
  /** Returns the message that is sent first, as soon as the socket is open. */
  greeting: () => string;
  /** Returns when the oldest answer on the page was asked for, epoch milliseconds; undefined when that was not before the start. */
  askedAt: () => number | undefined;
  /** Messages were missed: refetch what is shown. */
  onRefetch: () => void;
  /** The server has ended the session. */
  onSignedOut: () => void;
}

export interface LiveSocket {
  start: () => void;
  stop: () => void;
  /** Sends a message, unless the socket is closed: it then begins with the greeting. */
  send: (text: string) => void;
  /** Connects anew, now. */
  retry: () => void;
  /** The link as of the last notification; the same object until it changes. */
  link: () => Link;
  /** Notifies when the link changes, at most once a second for plain messages. */
  subscribe: (listener: () => void) => () => void;
}

const parse = (text: unknown): LiveMessage | undefined => {
  try {
    return typeof text === "string" ? (JSON.parse(text) as LiveMessage) : undefined;
  } catch {
    return undefined;
  }
};

/** An open socket. */
interface Opened {
  send: (text: string) => void;
  /** Closes it; no handler is called afterwards. */
  drop: () => void;
}

const closed: Opened = { send: () => {}, drop: () => {} };

/** Opens one socket with the handlers. */
const connect = (
  { address, onMessage, greeting }: Pick<LiveNeeds, "address" | "onMessage" | "greeting">,
  handle: (event: LinkEvent) => void,
): Opened => {
  const socket = new WebSocket(address());
  const hearing = new AbortController();
  const { signal } = hearing;
  socket.addEventListener(
    "open",
    () => {
      socket.send(greeting());
      handle("opened");
    },
    { signal },
  );
  socket.addEventListener("close", ({ code }) => handle(code === closedBySignOut ? "signed-out" : "closed"), {
    signal,
  });
  socket.addEventListener(
    "message",
    ({ data }) => {
      handle("message");
      const message = parse(data);
      if (message) onMessage(message);
    },
    { signal },
  );
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    drop: () => {
      hearing.abort();
      socket.close();
    },
  };
};

/** How far the clock may go back between two looks without having been set, milliseconds. */
const tolerance = 500;

/** Returns a function that tells by how much the clock was set back since the last look, milliseconds. It cannot tell a clock set forward from sleep. */
const watchClock = (): (() => number) => {
  const aheadOfSteady = () => Date.now() - performance.now();
  let ahead = aheadOfSteady();
  return () => {
    const change = aheadOfSteady() - ahead;
    ahead += change;
    return change < -tolerance ? change : 0;
  };
};

/** Keeps one live socket open for the lifetime of a session. */
export const createLiveSocket = (needs: LiveNeeds): LiveSocket => {
  const listeners = new Set<() => void>();
  let link = firstLink(Date.now());
  let shown = link;
  let opened = closed;
  const setBack = watchClock();
  let stopWatching = () => {};

  const show = () => {
    if (shown === link) return;
    shown = link;
    for (const listener of listeners) listener();
  };
  const act: Record<LinkEffect, () => void> = {
    connect: () => {
      opened = connect(needs, handle);
    },
    drop: () => opened.drop(),
    refetch: needs.onRefetch,
    "sign-in": needs.onSignedOut,
  };
  const handle = (event: LinkEvent) => {
    const change = setBack();
    const [next, effects] = nextLink(change === 0 ? link : afterClockChange(link, change), event, Date.now());
    link = next;
    for (const effect of effects) act[effect]();
    // Messages may arrive by the hundred; the time shown beside 'Live' is updated by the tick every second.
    if (event !== "message" || shown.lostAt !== null) show();
  };

  return {
    start: () => {
      link = firstLink(Date.now(), needs.askedAt());
      act.connect();
      stopWatching = watch(handle);
      show();
    },
    stop: () => {
      stopWatching();
      opened.drop();
    },
    send: (text) => opened.send(text),
    retry: () => handle("retry"),
    link: () => shown,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** Ticks every second and reports when the page becomes visible again or the network is back. */
const watch = (handle: (event: LinkEvent) => void): (() => void) => {
  const watching = new AbortController();
  const { signal } = watching;
  const timer = setInterval(() => handle("tick"), 1000);
  const wake = () => {
    if (document.visibilityState === "visible") handle("wake");
  };
  document.addEventListener("visibilitychange", wake, { signal });
  addEventListener("online", wake, { signal });
  addEventListener("pageshow", wake, { signal });
  return () => {
    clearInterval(timer);
    watching.abort();
  };
};
