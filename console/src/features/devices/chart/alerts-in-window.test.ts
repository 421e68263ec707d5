import { type AlertRow, AlertStatus } from "@telltale/contract/domains/alerts";
import { expect, test } from "vitest";
import { type Ask, alertsFrom } from "./alerts-in-window.ts";

/** An alert that was raised at this moment and ended at that one, or stands. */
const alert = (alarmLogId: number, raised: number, ended: number | null) =>
  ({
    alarmLogId,
    createdTime: new Date(raised),
    modifiedTime: ended === null ? null : new Date(ended),
    status: ended === null ? AlertStatus.triggered : AlertStatus.cleared,
  }) as AlertRow;

/** A rule that raised so many alerts, each a millisecond after the one before it, and ended at once. */
const flapping = (count: number, first = 1): AlertRow[] =>
  Array.from({ length: count }, (_, n) => alert(1 + n, first + n, first + n));

/** The log of a channel with these alerts, which answers as the server does. */
const logOf = (alerts: readonly AlertRow[]) => {
  const newestFirst = alerts.toSorted((a, b) => b.createdTime.getTime() - a.createdTime.getTime());
  const asked: Parameters<Ask>[0][] = [];
  const ask: Ask = (filter) => {
    asked.push(filter);
    const { page = 1, createdEndTime: until, modifyStartTime: ended, status } = filter;
    const found = newestFirst.filter(
      (row) =>
        (!until || row.createdTime <= until) &&
        (!ended || (row.modifiedTime !== null && row.modifiedTime >= ended)) &&
        (!status || status.includes(row.status)),
    );
    return Promise.resolve({ rows: found.slice((page - 1) * 200, page * 200), total: found.length });
  };
  return { asked, ask };
};

const idsOf = ({ rows }: { rows: readonly AlertRow[] }) => rows.map(({ alarmLogId }) => alarmLogId);

test("all alerts of a window are loaded, however many pages they are", async () => {
  const { asked, ask } = logOf(flapping(450));
  const found = await alertsFrom(0, ask);
  expect(found.rows).toHaveLength(450);
  expect(found.since).toBeUndefined();
  expect(asked).toEqual([{ page: 1 }, { page: 2 }, { page: 3 }]);
});

test("no page is loaded beyond the first alert that was raised before the window", async () => {
  const { asked, ask } = logOf(flapping(900));
  const found = await alertsFrom(750, ask);
  expect(found.rows).toHaveLength(200);
  expect(found.since).toBeUndefined();
  expect(asked.map(({ page }) => page)).toEqual([1, undefined, undefined]);
});

test("an alert that has stood since before hundreds of newer ones is among those of the window, and so is one that ended in it", async () => {
  const [standing, endedWithin, endedBefore] = [
    alert(9_001, 1_000, null),
    alert(9_002, 1_001, 5_100),
    alert(9_003, 1_002, 4_000),
  ];
  const { ask } = logOf([standing, endedWithin, endedBefore, ...flapping(500, 4_700)]);
  const found = await alertsFrom(5_000, ask);
  expect(idsOf(found)).toEqual(expect.arrayContaining([9_001, 9_002]));
  expect(idsOf(found)).not.toContain(9_003);
  expect(found.since, "nothing is missing of the window").toBeUndefined();
});

test("of more than a thousand it is said since when they are known, and what stood then is among them", async () => {
  const [standing, endedSince, endedBefore] = [alert(9_001, 100, null), alert(9_002, 150, 500), alert(9_003, 160, 180)];
  const { asked, ask } = logOf([standing, endedSince, endedBefore, ...flapping(1_200)]);
  const found = await alertsFrom(0, ask);
  expect(found.since).toBe(201);
  expect(new Set(idsOf(found)).size).toBe(found.rows.length);
  expect(idsOf(found)).toEqual(expect.arrayContaining([9_001, 9_002]));
  expect(idsOf(found)).not.toContain(9_003);
  expect(asked).toHaveLength(7);
});

test("a channel without alerts has none, all of them", async () => {
  expect(await alertsFrom(0, logOf([]).ask)).toEqual({ rows: [], since: undefined });
});
