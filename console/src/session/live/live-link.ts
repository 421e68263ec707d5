import { reconnectDelay } from "@telltale/contract/live";

/** Silence in milliseconds after which what is shown is no longer called live: two heartbeats of the server and a late one. */
export const silentAfter = 5_000;

/** Silence in milliseconds after which a connection counts as dead. A busy server is not asked for another one sooner. */
export const deadAfter = 40_000;

/** Silence in milliseconds after which a connection is dropped when the page becomes visible again. */
export const doubtfulAfter = 20_000;

/**
 * Time in milliseconds from the first question for data until the first opening, after which messages may have been missed: the server repeats the changes
 * of the last five seconds to a socket that joins.
 */
const repeatedFor = 4_000;

/** State of the live connection. Times are epoch milliseconds. */
export interface Link {
  phase: "connecting" | "live" | "waiting" | "ended";
  startedAt: number;
  /** When the oldest answer on the page was asked for, which may be before the start. */
  askedAt: number;
  /** Time of the last message or connection attempt. */
  heardAt: number;
  lastMessageAt: number | null;
  retryAt: number | null;
  /** Since when nothing was heard, while what is shown may be out of date; null while it is live. */
  lostAt: number | null;
  /** Whether it has been live before, so that the next connection is a reconnection. */
  wasLive: boolean;
}

export type LinkEvent = "opened" | "message" | "closed" | "signed-out" | "tick" | "wake" | "retry";
/** What the owner of the socket has to do. `drop` comes before `connect` when both are needed. */
export type LinkEffect = "connect" | "drop" | "refetch" | "sign-in";
export type LinkStep = readonly [Link, readonly LinkEffect[]];

export const firstLink = (now: number, askedAt = now): Link => ({
  phase: "connecting",
  startedAt: now,
  askedAt,
  heardAt: now,
  lastMessageAt: null,
  retryAt: null,
  lostAt: null,
  wasLive: false,
});

/** The link after the browser's clock was set by this many milliseconds: else nothing would be late until the clock is where it was. */
export const afterClockChange = (link: Link, by: number): Link => ({
  ...link,
  startedAt: link.startedAt + by,
  askedAt: link.askedAt + by,
  heardAt: link.heardAt + by,
  lastMessageAt: link.lastMessageAt === null ? null : link.lastMessageAt + by,
  retryAt: link.retryAt === null ? null : link.retryAt + by,
  lostAt: link.lostAt === null ? null : link.lostAt + by,
});

/** With the silence that is too long. */
const withLoss = (link: Link, now: number): Link => {
  const silentSince = link.lastMessageAt ?? link.startedAt;
  return link.lostAt === null && link.phase !== "ended" && now - silentSince >= silentAfter
    ? { ...link, lostAt: silentSince }
    : link;
};

/** Since when a connection is lost that has closed; null for the first attempt. */
const lostSince = ({ lostAt, lastMessageAt, wasLive, startedAt }: Link): number | null =>
  lostAt ?? lastMessageAt ?? (wasLive ? startedAt : null);

const connecting = (link: Link, now: number): Link => ({ ...link, phase: "connecting", heardAt: now, retryAt: null });

const onTick = (link: Link, now: number): LinkStep => {
  if (link.phase === "waiting")
    return link.retryAt !== null && now >= link.retryAt ? [connecting(link, now), ["connect"]] : [link, []];
  return link.phase !== "ended" && now - link.heardAt >= deadAfter
    ? [connecting(link, now), ["drop", "connect"]]
    : [link, []];
};

const onWake = (link: Link, now: number): LinkStep => {
  if (link.phase === "waiting") return [connecting(link, now), ["connect"]];
  return link.phase === "live" && now - link.heardAt >= doubtfulAfter
    ? [connecting(link, now), ["drop", "connect"]]
    : [link, []];
};

/**
 * Returns the next state of the live connection and the effects: reconnect 4 s after a loss, at once when the page becomes visible
 * or the network is back (`wake`) or the user says so (`retry`), and after too long a silence; refetch what is shown after a reconnection or a late first
 * connection, because messages were missed.
 */
export const nextLink = (link: Link, event: LinkEvent, now: number): LinkStep => {
  switch (event) {
    case "opened": {
      const hasMissed = link.wasLive || now - link.askedAt > repeatedFor;
      return [{ ...link, phase: "live", heardAt: now, retryAt: null, wasLive: true }, hasMissed ? ["refetch"] : []];
    }
    case "message":
      return [{ ...link, heardAt: now, lastMessageAt: now, lostAt: null }, []];
    case "closed":
      // The first attempt does not count as a loss at once: what is shown was loaded a moment ago.
      return [{ ...link, phase: "waiting", retryAt: now + reconnectDelay, lostAt: lostSince(link) }, []];
    case "signed-out":
      return [{ ...link, phase: "ended", retryAt: null }, ["sign-in"]];
    case "tick":
      return onTick(withLoss(link, now), now);
    case "wake":
      return onWake(withLoss(link, now), now);
    case "retry":
      return link.phase === "ended" ? [link, []] : [connecting(link, now), ["drop", "connect"]];
  }
};
