import { GateType } from "@telltale/contract/domains/alerting/gate";
import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import { ReadingStatus } from "@telltale/contract/domains/channels";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { atOnce, atRest, type Reading, type Rule, type RuleState, step, tick, turn } from "../evaluate.ts";
import { gateNow } from "./gate.rules.ts";

const gate = { channelId: 7, type: GateType.on, value: Number.NaN, startUp: 0 };
const aGated = ({ startUp = 0, ...more }: Partial<Rule> & { startUp?: number } = {}): Rule => ({
  key: "k",
  alarmClass: AlertClass.custom,
  alarmType: AlertType.high,
  alarmId: 1,
  setpoint: 8,
  hysteresis: 0,
  ...atOnce,
  ...more,
  gate: { ...gate, startUp },
});

/** A reading of the rule's own channel, or of its gate. */
type Event = { ts: number; value: number } | { ts: number; isOpen: boolean };
interface Run {
  state: RuleState;
  newest: Reading;
  log: string[];
}
const nothing: Run = {
  state: atRest,
  newest: { ts: Number.NEGATIVE_INFINITY, value: 0, status: ReadingStatus.noData },
  log: [],
};
const noted = (run: Run, { state, transitions }: ReturnType<typeof step>, newest = run.newest): Run => ({
  state,
  newest,
  log: [...run.log, ...transitions.map(({ kind, at }) => `${kind} ${at}`)],
});
const take = (rule: Rule, run: Run, event: Event): Run => {
  if ("isOpen" in event) return noted(run, turn(rule, run.state, run.newest, event));
  const reading = { ...event, status: ReadingStatus.good };
  return noted(run, step(rule, run.state, run.newest, reading), reading);
};
const pause = (rule: Rule, run: Run, until: number): Run => noted(run, tick(rule, run.state, run.newest, until));
const takeAll = (rule: Rule, events: readonly Event[]): Run =>
  events.reduce((run, event) => take(rule, run, event), nothing);

const open = (ts: number) => ({ ts, isOpen: true });
const closed = (ts: number) => ({ ts, isOpen: false });
const at = (ts: number, value: number) => ({ ts, value });

describe("a rule with a gate", () => {
  it.each([
    ["is not raised while nothing is known of its gate", aGated(), [at(1, 9), at(9, 9)], ""],
    ["is raised while it is open", aGated(), [open(1), at(2, 9), at(3, 7)], "raise 2, clear 3"],
    ["is not raised while it is shut", aGated(), [open(1), closed(2), at(3, 9), at(4, 7)], ""],
    ["is raised at its opening by what holds already", aGated(), [at(1, 9), open(5), at(9, 9)], "raise 5"],
    ["takes the value that comes with the opening", aGated(), [at(1, 9), open(5), at(5, 7), at(9, 7)], ""],
    ["takes the value that comes with the shutting", aGated(), [open(1), at(4, 7), closed(5), at(5, 9)], ""],
    ["is cleared when it shuts", aGated(), [open(1), at(2, 9), closed(5), at(9, 9)], "raise 2, clear 5"],
    [
      "is cleared a delay after it has shut",
      aGated({ offDelay: 10 }),
      [open(1), at(2, 9), closed(5), at(7, 7), at(20, 7)],
      "raise 2, clear 15",
    ],
    [
      "goes on when it opens again before that",
      aGated({ offDelay: 10 }),
      [open(1), at(2, 9), closed(5), open(9), at(30, 9)],
      "raise 2",
    ],
    [
      "is raised again while it is open",
      aGated(),
      [open(1), at(2, 9), at(3, 7), at(4, 9), closed(5)],
      "raise 2, clear 3, raise 4, clear 5",
    ],
    ["waits for the start-up time", aGated({ startUp: 10 }), [open(5), at(6, 9), at(30, 9)], "raise 15"],
    ["is quiet when it ends within the start-up time", aGated({ startUp: 10 }), [open(5), at(6, 9), at(15, 7)], ""],
    [
      "waits for its delay after the start-up time",
      aGated({ startUp: 10, onDelay: 5 }),
      [open(5), at(6, 9), at(30, 9)],
      "raise 20",
    ],
    [
      "begins to wait anew at each opening",
      aGated({ startUp: 10 }),
      [open(5), at(6, 9), closed(12), open(13), at(22, 9), at(40, 9)],
      "raise 23",
    ],
    [
      "counts each opening as an occurrence",
      aGated({ times: 2, window: 60 }),
      [at(1, 9), open(2), closed(5), open(10), at(11, 9)],
      "raise 10",
    ],
  ])("%s", (_name, rule, events, expected) => {
    expect(takeAll(rule, events).log.join(", ")).toBe(expected);
  });

  it("has the newest reading of its channel when it is loaded, unless that is older than what is kept", () => {
    const kept = { isOpen: true, since: 50, isMet: true };
    const newest = (ts: number, value: number, status: number = ReadingStatus.good) => ({ ts, value, status });
    expect(gateNow(gate, null, null, false)).toMatchObject({ isOpen: false });
    expect(gateNow(gate, null, newest(40, 1), true)).toEqual({ isOpen: true, since: 40, isMet: true });
    expect(gateNow(gate, kept, newest(60, 0), false)).toEqual({ isOpen: false, since: 60, isMet: true });
    expect(gateNow(gate, kept, newest(60, 1), false)).toEqual(kept);
    expect(gateNow(gate, kept, newest(40, 0), false)).toEqual(kept);
    expect(gateNow(gate, kept, newest(60, 0, ReadingStatus.noData), false)).toEqual(kept);
  });
});

const longest = 60;
const delay = fc.integer({ min: 0, max: 8 });
const rules = fc.record({ startUp: delay, onDelay: delay, offDelay: delay }).map(aGated);
/** At most a gate's reading and one of the channel at each time, the gate's first. */
const sequences = fc
  .array(
    fc.record({
      ts: fc.integer({ min: 1, max: longest }),
      isOpen: fc.option(fc.boolean(), { nil: undefined }),
      value: fc.option(fc.constantFrom(7, 9), { nil: undefined }),
    }),
    { maxLength: 40 },
  )
  .map((moments) =>
    [...new Map(moments.map((moment) => [moment.ts, moment])).values()]
      .toSorted((a, b) => a.ts - b.ts)
      .flatMap(({ ts, isOpen, value }): Event[] => [
        ...(isOpen === undefined ? [] : [{ ts, isOpen }]),
        ...(value === undefined ? [] : [{ ts, value }]),
      ]),
  );

/** The same by looking at every moment: what a reader of the specification would do by hand. */
const byHand = (rule: Rule, events: readonly Event[]): string[] => {
  const log: string[] = [];
  let [value, openSince, holdsSince, goneSince] = [0, Number.NaN, Number.NaN, 0];
  let isRaised = false;
  const look = (now: number): void => {
    if (!isRaised && now >= holdsSince + rule.onDelay) {
      isRaised = true;
      log.push(`raise ${now}`);
    }
    if (isRaised && now >= goneSince + rule.offDelay) {
      isRaised = false;
      log.push(`clear ${now}`);
    }
  };
  for (let now = 1; now <= longest; now++) {
    look(now);
    for (const event of events.filter(({ ts }) => ts === now)) {
      if ("value" in event) value = event.value;
      else if (!event.isOpen) openSince = Number.NaN;
      else if (Number.isNaN(openSince)) openSince = now;
    }
    const holds = value >= rule.setpoint && now >= openSince + (rule.gate?.startUp ?? 0);
    if (holds === !Number.isNaN(holdsSince)) continue;
    [holdsSince, goneSince] = holds ? [now, Number.NaN] : [Number.NaN, now];
    look(now);
  }
  return log;
};
/** What was raised and cleared by then. */
const until = (log: readonly string[], ts: number) => log.filter((line) => Number(line.split(" ")[1]) <= ts);

describe("a rule with a gate, whatever its readings", () => {
  it("is raised and cleared as by looking at every moment", () => {
    fc.assert(
      fc.property(rules, sequences, (rule, events) => {
        const run = pause(rule, takeAll(rule, events), longest + 20);
        expect(until(run.log, longest)).toEqual(byHand(rule, events));
      }),
      { numRuns: 3000 },
    );
  });

  it("gives the same alerts when timers look at every moment, and each state is kept and loaded again", () => {
    fc.assert(
      fc.property(rules, sequences, (rule, events) => {
        let run = nothing;
        for (const [index, event] of events.entries()) {
          run = take(rule, run, event);
          const next = events[index + 1]?.ts ?? longest;
          for (let now = event.ts; now < next; now++) run = pause(rule, run, now);
        }
        expect(until(pause(rule, run, longest + 20).log, longest)).toEqual(byHand(rule, events));
      }),
      { numRuns: 3000 },
    );
  });
});
