import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { loadPlain } from "./load-with-retry.ts";

/** A server that is unreachable until `isThere`, and the times of its probes. */
const aServer = () => {
  const server = { isThere: false, requests: [] as number[] };
  vi.stubGlobal("fetch", async () => {
    server.requests.push(Date.now());
    if (!server.isThere) throw new TypeError("Failed to fetch");
    return new Response();
  });
  return server;
};

/** Lazily loaded parts that fail while the server is unreachable, each with its number of attempts. */
const parts = (count: number, server: { isThere: boolean }) => {
  const tries = Array.from({ length: count }, () => 0);
  const loads = tries.map((_, part) => async () => {
    tries[part] = (tries[part] ?? 0) + 1;
    if (!server.isThere) throw new TypeError("Failed to fetch dynamically imported module");
    return part;
  });
  return { tries, loads };
};

describe("parts of the console while the server is unreachable", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("share one probe with backoff, and each is fetched once when the server is back", async () => {
    const server = aServer();
    const { tries, loads } = parts(36, server);
    const loaded = Promise.all(loads.map((load) => loadPlain(load)));
    await vi.advanceTimersByTimeAsync(0);
    expect(server.requests, "36 parts, one question").toHaveLength(1);
    await vi.advanceTimersByTimeAsync(120_000);
    const pauses = server.requests.slice(1).map((at, index) => at - (server.requests[index] ?? 0));
    expect(Math.max(...pauses)).toBeLessThanOrEqual(15_000);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(1000);
    expect(Math.min(...pauses.slice(4)), "later ones are rarer").toBeGreaterThanOrEqual(7500);
    expect(new Set(pauses.slice(4)).size, "and of random length").toBeGreaterThan(1);
    server.isThere = true;
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await loaded).toHaveLength(36);
    expect(new Set(tries)).toEqual(new Set([2]));
  });

  it("fail when a reachable server does not have them", async () => {
    const server = aServer();
    server.isThere = true;
    const missing = loadPlain(() => Promise.reject(new Error("404")));
    await expect(missing).rejects.toThrow("404");
    expect(server.requests).toHaveLength(1);
  });
});
