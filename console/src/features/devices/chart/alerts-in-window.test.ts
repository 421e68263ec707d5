import type { AlertRow } from "@telltale/contract/domains/alerts";
import { expect, test } from "vitest";
import { alertsFrom } from "./alerts-in-window.ts";

/** Pages of so many alerts, newest first, each raised a millisecond before the one above it. */
const pagesOf = (total: number) => {
  const asked: number[] = [];
  const read = (page: number) => {
    asked.push(page);
    const length = Math.min(200, total - (page - 1) * 200);
    const rows = Array.from(
      { length },
      (_, n) => ({ createdTime: new Date(total - (page - 1) * 200 - n) }) as AlertRow,
    );
    return Promise.resolve({ rows, total });
  };
  return { asked, read };
};

test("all alerts of a window are loaded, however many pages they are", async () => {
  const { asked, read } = pagesOf(450);
  const found = await alertsFrom(0, read);
  expect(found.rows).toHaveLength(450);
  expect(found.since).toBeUndefined();
  expect(asked).toEqual([1, 2, 3]);
});

test("none is loaded that comes before the one that was raised before the window", async () => {
  const { asked, read } = pagesOf(900);
  expect((await alertsFrom(750, read)).since).toBeUndefined();
  expect(asked).toEqual([1]);
});

test("of more than a thousand it is said since when they are known", async () => {
  const { asked, read } = pagesOf(1_200);
  const found = await alertsFrom(0, read);
  expect(found.rows).toHaveLength(1_000);
  expect(found.since).toBe(201);
  expect(asked).toHaveLength(5);
});

test("a channel without alerts has none, all of them", async () => {
  expect(await alertsFrom(0, pagesOf(0).read)).toEqual({ rows: [], since: undefined });
});
