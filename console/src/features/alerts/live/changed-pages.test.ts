import type { Page } from "@telltale/contract/call/paging";
import type { StandingRow } from "@telltale/contract/domains/alerting/entries";
import type { ListChange } from "@telltale/contract/domains/alerting/live-log";
import { AlertClass, AlertStatus, type LoggedAlert } from "@telltale/contract/domains/alerts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AlertList, changedPages, type Listed } from "./changed-pages.ts";
import { changedStrip, logList, notificationList, standingList } from "./lists.ts";
import type { AlertFilter } from "./shown-by.ts";
import { anAlert as alert } from "./test-alert.ts";

interface Shown {
  filter: AlertFilter;
  size: number;
  count: number;
}

/** The pages as the server answers them. */
const fetched = <Row extends Listed>(list: AlertList<Row>, all: readonly StandingRow[], shown: Shown): Page<Row>[] => {
  const rows = all
    .filter((each) => list.shows(each, shown.filter))
    .map(list.rowOf)
    .toSorted(list.compare);
  const total_pages = Math.ceil(rows.length / shown.size);
  return Array.from({ length: shown.count }, (_, at) => ({
    ...{ page: at + 1, total: rows.length, total_pages },
    data: rows.slice(at * shown.size, (at + 1) * shown.size),
  }));
};

/** What a message tells after these alerts of a device have changed. */
const changeOf = (all: readonly StandingRow[], deviceId: number, changed: readonly StandingRow[]): ListChange => ({
  ...{ deviceId, rows: [...changed], places: [] },
  standing: all.flatMap((each) => (each.deviceId === deviceId && each.modifiedTime === null ? each.alarmLogId : [])),
});

const step = fc.record({
  kind: fc.constantFrom("raise", "raise late", "confirm", "clear", "silence", "notify"),
  which: fc.nat(),
  deviceId: fc.integer({ min: 1, max: 3 }),
  priority: fc.constantFrom(1, 2, 3),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** The alert that a step raises or changes. */
const after = (all: readonly StandingRow[], { kind, which, deviceId, priority }: Step): StandingRow | undefined => {
  const id = 1 + Math.max(0, ...all.map(({ alarmLogId }) => alarmLogId));
  const device = { deviceId, deviceName: `Pump ${deviceId}`, deviceSnId: `A${deviceId}` };
  if (kind === "raise") return alert(id, { ...device, priority });
  if (kind === "raise late") return alert(id, { ...device, priority, createdTime: new Date((which % id) * 1000 + 1) });
  const time = new Date(id * 1000);
  if (kind === "notify") return alert(id, { ...device, alarmClass: 4, status: 3, modifiedTime: time });
  const standing = all.filter(({ modifiedTime }) => modifiedTime === null);
  const old = standing[which % standing.length];
  if (!old) return undefined;
  if (kind === "silence") return { ...old, isSilent: !old.isSilent };
  if (kind === "clear") return { ...old, status: AlertStatus.cleared, modifiedTime: time, isSilent: false };
  return { ...old, status: AlertStatus.confirmed, acceptTime: time, acceptName: "Mara" };
};

const filters: AlertFilter[] = [
  {},
  { status: [1] },
  { status: [2, 3], deviceName: "pump 2" },
  { deviceName: "PUMP" },
  { alarmClass: [AlertClass.threshold], createdStartTime: new Date(10_000), createdEndTime: new Date(40_000) },
  { passedSince: new Date(12_000) },
  { confirmEndTime: new Date(60_000) },
  { email: "mara" },
];

/** Whatever happens, the pages are as a fetch would bring them, or it is not known; returns how often it was. */
const follow = <Row extends Listed>(
  list: AlertList<Row>,
  start: readonly StandingRow[],
  steps: readonly Step[],
  shown: Shown,
) => {
  let [all, known] = [[...start], 0];
  let pages = fetched(list, all, shown);
  const told = new Set(all.map(({ alarmLogId }) => alarmLogId));
  for (const each of steps) {
    const changed = after(all, each);
    if (!changed) continue;
    all = [...all.filter(({ alarmLogId }) => alarmLogId !== changed.alarmLogId), changed];
    const isCounted = ({ alarmLogId }: StandingRow) => told.has(alarmLogId);
    const change = changeOf(all, changed.deviceId, [changed]);
    const next = changedPages(list, { pages, ...shown, isCounted }, change);
    told.add(changed.alarmLogId);
    const answers = fetched(list, all, shown);
    if (next) expect(next).toEqual(answers);
    if (next) known += 1;
    pages = answers;
  }
  return known;
};

describe("a list that follows live messages is as a fetch would bring it", () => {
  const steps = fc.array(step, { maxLength: 40 });
  const counts = fc.record({
    size: fc.constantFrom(3, 5, 60),
    count: fc.constantFrom(1, 2, 3),
    filter: fc.constantFrom(...filters),
  });
  test.each(["the log", "what stands", "the notifications"])("%s", (which) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), steps, counts, (before, happens, shown) => {
        const start = before.reduce<StandingRow[]>((all, each) => {
          const changed = after(all, each);
          return changed ? [...all.filter(({ alarmLogId }) => alarmLogId !== changed.alarmLogId), changed] : all;
        }, []);
        if (which === "the log") follow(logList, start, happens, shown);
        else if (which === "what stands") {
          follow(standingList, start, happens, shown);
          follow(standingList, start, happens, { ...shown, filter: { ...shown.filter, unconfirmed: 1 } });
        } else follow(notificationList, start, happens, shown);
      }),
    );
  });
});

const flood = Array.from({ length: 100 }, (_, at): Step[] => [
  { kind: "raise", which: 0, deviceId: 1 + (at % 3), priority: 2 },
  { kind: "clear", which: at, deviceId: 1, priority: 2 },
]).flat();

test("in a flood the log of which one page is loaded, and all that stands, ask nothing", () => {
  const start = Array.from({ length: 60 }, (_, at) => alert(at + 1));
  expect(follow(logList, start, flood, { filter: {}, size: 20, count: 1 })).toBe(flood.length);
  expect(follow(logList, start, flood, { filter: {}, size: 20, count: 3 })).toBe(flood.length);
  expect(follow(standingList, start, flood, { filter: {}, size: 200, count: 1 })).toBe(flood.length);
  expect(follow(standingList, start, flood, { filter: { unconfirmed: 1 }, size: 200, count: 1 })).toBe(flood.length);
});

test("lists are fetched when an alert has ended that the message does not tell, and when only the server can tell whether one is shown", () => {
  const all = [alert(1), alert(2)];
  const loaded = (filter: AlertFilter) => ({
    pages: fetched(logList, all, { filter, size: 20, count: 1 }),
    size: 20,
    filter,
    isCounted: () => false,
  });
  expect(changedPages(logList, loaded({}), { deviceId: 1, rows: [], standing: [2], places: [] })).toBeUndefined();
  const change = (more: Partial<StandingRow>) => ({
    deviceId: 1,
    rows: [alert(3, more)],
    standing: [1, 2, 3],
    places: [],
  });
  expect(changedPages(logList, loaded({ deviceName: "pümp" }), change({ deviceName: "PÜMP" }))).toBeUndefined();
  expect(changedPages(logList, loaded({ email: "m" }), change({ acceptTime: new Date() }))).toBeUndefined();
  expect(changedPages(logList, loaded({ unheardOf: 1 }), change({}))).toBeUndefined();
});

test("pages between whose fetches an alert was raised are fetched again: a row of theirs is missing, or is there twice", () => {
  const before = Array.from({ length: 30 }, (_, at) => alert(at + 1));
  const shown = { filter: {}, size: 20, count: 2 };
  const [first, second] = [before, [...before, alert(31)]].map((all) => fetched(logList, all, shown));
  const change = {
    deviceId: 1,
    rows: [alert(31)],
    standing: Array.from({ length: 31 }, (_, at) => at + 1),
    places: [],
  };
  const isFollowed = (...pages: (Page<LoggedAlert> | undefined)[]): boolean => {
    const loaded = { pages: pages.flatMap((page) => page ?? []), size: 20, filter: {}, isCounted: () => true };
    return changedPages(logList, loaded, change) !== undefined;
  };
  expect(isFollowed(first?.[0], first?.[1])).toBe(true);
  expect(isFollowed(second?.[0], first?.[1]), "one is missing").toBe(false);
  expect(isFollowed(first?.[0], second?.[1]), "one is there twice").toBe(false);
});

test("the first of several alerts gets its mark, and the strip of notifications the newest ones", () => {
  const pages = fetched(logList, [alert(1), alert(2)], { filter: {}, size: 20, count: 1 });
  const places = [{ alarmLogId: 1, firstOf: 3, follows: null }];
  const next = changedPages(
    logList,
    { pages, size: 20, filter: {}, isCounted: () => true },
    { deviceId: 2, rows: [], standing: [], places },
  );
  expect(next?.[0]?.data.map(({ firstOf }) => firstOf)).toEqual([null, 3]);
  const notice = (id: number, msg = "") => alert(id, { alarmClass: 4, msg });
  const strip = [5, 4, 3].map((id) => notificationList.rowOf(notice(id)));
  const changed = changedStrip(strip, [notice(6), alert(7), notice(4, "Changed"), notice(2)]);
  expect(changed.map(({ alarmLogId, msg }) => [alarmLogId, msg])).toEqual([
    [6, ""],
    [5, ""],
    [4, "Changed"],
  ]);
});
