import { describe, expect, it } from "vitest";
import {
  afterClockChange,
  deadAfter,
  doubtfulAfter,
  firstLink,
  type Link,
  type LinkEvent,
  nextLink,
  silentAfter,
} from "./live-link.ts";

const t0 = 1_763_700_000_000;
/** Applies events at offsets from t0; returns the final link and all effects. */
const run = (...events: [offset: number, event: LinkEvent][]) => {
  let link: Link = firstLink(t0);
  const effects: string[] = [];
  for (const [offset, event] of events) {
    const [next, todo] = nextLink(link, event, t0 + offset);
    link = next;
    effects.push(...todo);
  }
  return { link, effects };
};

describe("the live connection", () => {
  it("is live once opened and does not refetch the first time", () => {
    const { link, effects } = run([100, "opened"], [200, "message"]);
    expect(link).toMatchObject({ phase: "live", lastMessageAt: t0 + 200, retryAt: null });
    expect(effects).toEqual([]);
  });

  it("refetches what is shown when the first connection takes longer than the server repeats changes", () => {
    expect(run([4_000, "opened"]).effects).toEqual([]);
    expect(run([4_001, "opened"]).effects).toEqual(["refetch"]);
    expect(run([0, "closed"], [4_000, "tick"], [4_100, "opened"]).effects).toEqual(["connect", "refetch"]);
  });

  it("refetches what was asked for long before it started, when the server no longer repeats what has changed since", () => {
    const openedAfter = (askedBefore: number) => nextLink(firstLink(t0, t0 - askedBefore), "opened", t0 + 1_000)[1];
    expect(openedAfter(3_000)).toEqual([]);
    expect(openedAfter(3_001)).toEqual(["refetch"]);
  });

  it("notices a loss as soon, and reconnects as soon, when the browser's clock is set back meanwhile", () => {
    const setBack = -600_000;
    const { link } = run([0, "opened"], [1000, "message"]);
    const [lost] = nextLink(afterClockChange(link, setBack), "tick", t0 + setBack + 1000 + silentAfter);
    expect(lost.lostAt).toBe(t0 + setBack + 1000);
    const [waiting] = nextLink(lost, "closed", t0 + setBack + 7000);
    const [, effects] = nextLink(afterClockChange(waiting, -3_600_000), "tick", t0 + setBack - 3_600_000 + 11_000);
    expect(effects).toEqual(["connect"]);
  });

  it("reconnects 4 seconds after a loss, not sooner, and then refetches what is shown", () => {
    const lost = run([0, "opened"], [1000, "closed"], [4999, "tick"]);
    expect(lost.link).toMatchObject({ phase: "waiting", retryAt: t0 + 5000 });
    expect(lost.effects).toEqual([]);
    const back = run([0, "opened"], [1000, "closed"], [5000, "tick"], [5100, "opened"]);
    expect(back.link.phase).toBe("live");
    expect(back.effects).toEqual(["connect", "refetch"]);
  });

  it("retries every 4 seconds while the server is unreachable", () => {
    const { link, effects } = run([0, "closed"], [4000, "tick"], [4100, "closed"], [8100, "tick"]);
    expect(link.phase).toBe("connecting");
    expect(effects).toEqual(["connect", "connect"]);
  });

  it("is lost five seconds after it was heard last, or when it is closed, until it is heard again", () => {
    const heard: [number, LinkEvent][] = [
      [0, "opened"],
      [1000, "message"],
    ];
    expect(run(...heard, [1000 + silentAfter - 1, "tick"]).link.lostAt).toBeNull();
    expect(run(...heard, [1000 + silentAfter, "tick"]).link).toMatchObject({ phase: "live", lostAt: t0 + 1000 });
    expect(run(...heard, [2000, "closed"]).link.lostAt).toBe(t0 + 1000);
    expect(run([500, "opened"], [900, "closed"]).link.lostAt, "closed before it was heard").toBe(t0);
    const back = run(...heard, [2000, "closed"], [6000, "tick"], [6100, "opened"]);
    expect(back.link.lostAt, "nothing was heard yet").toBe(t0 + 1000);
    expect(run(...heard, [2000, "closed"], [6000, "tick"], [6100, "opened"], [6200, "message"]).link.lostAt).toBeNull();
  });

  it("does not call the first attempt a loss before it has lasted as long", () => {
    expect(run([100, "closed"]).link.lostAt).toBeNull();
    expect(run([100, "closed"], [silentAfter, "tick"]).link.lostAt).toBe(t0);
  });

  it("connects anew when the user says so", () => {
    expect(run([0, "opened"], [1000, "closed"], [1500, "retry"])).toMatchObject({
      link: { phase: "connecting", retryAt: null },
      effects: ["drop", "connect"],
    });
    expect(run([0, "signed-out"], [10, "retry"]).effects).toEqual(["sign-in"]);
  });

  it("treats 40 seconds of silence as a dead connection, also during an attempt", () => {
    expect(run([0, "opened"], [deadAfter - 1, "tick"]).effects).toEqual([]);
    expect(run([0, "opened"], [deadAfter, "tick"]).effects).toEqual(["drop", "connect"]);
    expect(run([deadAfter, "tick"]).effects).toEqual(["drop", "connect"]);
    expect(run([0, "opened"], [30_000, "message"], [deadAfter, "tick"]).effects).toEqual([]);
  });

  it("connects at once when the page becomes visible again", () => {
    expect(run([0, "closed"], [500, "wake"]).effects).toEqual(["connect"]);
    expect(run([0, "opened"], [doubtfulAfter - 1, "wake"]).effects).toEqual([]);
    expect(run([0, "opened"], [doubtfulAfter, "wake"]).effects).toEqual(["drop", "connect"]);
  });

  it("does not reconnect after the server has ended the session", () => {
    const { link, effects } = run([0, "opened"], [10, "signed-out"], [60_000, "tick"], [60_001, "wake"]);
    expect(link.phase).toBe("ended");
    expect(effects).toEqual(["sign-in"]);
  });
});
