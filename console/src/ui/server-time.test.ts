import { afterEach, expect, test, vi } from "vitest";
import { noteServerTime, serverNow } from "./server-time.ts";

const now = Date.parse("2026-11-20T12:00:00Z");
const minute = 60_000;
const told = (from: number) => new Date(from).toUTCString();

afterEach(() => {
  vi.useRealTimers();
  noteServerTime(told(Date.now()), Date.now(), Date.now());
});

/** What the browser takes for the server's time after an answer that was sent at `sent` by the server's clock, and took so long. */
const seen = (sent: number, took = 100): number => {
  vi.useFakeTimers({ now, toFake: ["Date"] });
  noteServerTime(told(sent), now - took, now);
  return serverNow() - now;
};

test("a browser's clock that is wrong by minutes is corrected to a second", () => {
  expect(Math.abs(seen(now + 10 * minute) - 10 * minute)).toBeLessThan(1000);
  expect(Math.abs(seen(now - 10 * minute) + 10 * minute)).toBeLessThan(1000);
});

test("a clock that is right is left alone, however long the answer took", () => {
  expect(seen(now)).toBe(0);
  expect(seen(now - 20_000, 30_000)).toBe(0);
});

test("an answer without a time changes nothing", () => {
  seen(now + 10 * minute);
  const before = serverNow();
  noteServerTime(null, now, now);
  expect(serverNow()).toBe(before);
});
