import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createGathering } from "./gathering.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "performance"] }));
afterEach(() => vi.useRealTimers());

interface Circumstances {
  isOfCluster?: boolean;
  isBusy?: boolean;
  supply?: { isThere: boolean };
}

/** Milliseconds until the next batch is written, after one of so many messages. */
const waitAfter = async (messages: number, circumstances: Circumstances = {}): Promise<number> => {
  const { isOfCluster = false, isBusy = false, supply = { isThere: false } } = circumstances;
  const needs = { node: { isOfCluster }, isStopping: () => false, isSupplied: () => supply.isThere };
  const gathering = createGathering(needs, () => isBusy);
  gathering.wrote(messages);
  const began = performance.now();
  const waited = gathering.wait().then(() => performance.now() - began);
  await vi.runAllTimersAsync();
  return waited;
};

describe("between two batches", () => {
  test("a server with time to spare does not wait", async () => {
    expect(await waitAfter(100)).toBe(0);
  });

  test("a busy server lets messages gather, and each node of a cluster for longer, since it has only a share of them", async () => {
    expect(await waitAfter(100, { isBusy: true })).toBe(10);
    expect(await waitAfter(100, { isOfCluster: true })).toBe(40);
  });

  test("a device that waits for each acknowledgement is not held up", async () => {
    expect(await waitAfter(1, { isBusy: true })).toBe(0);
    expect(await waitAfter(1, { isOfCluster: true })).toBe(0);
  });

  test("nobody waits once there is enough: nothing more would be read meanwhile", async () => {
    expect(await waitAfter(100, { isBusy: true, supply: { isThere: true } })).toBe(0);
    const supply = { isThere: false };
    setTimeout(() => {
      supply.isThere = true;
    }, 4);
    expect(await waitAfter(100, { isBusy: true, supply })).toBe(5);
  });
});
