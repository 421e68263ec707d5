import { describe, expect, it, vi } from "vitest";
import { createLiveValues } from "./live-values.ts";

const aStore = () => {
  let moment = 0;
  const frames: (() => void)[] = [];
  const store = createLiveValues({ now: () => moment, nextFrame: (run) => frames.push(run) });
  return {
    store,
    at: (milliseconds: number) => {
      moment = milliseconds;
    },
    frames,
    paint: () => {
      for (const run of frames.splice(0)) run();
    },
  };
};

describe("live values", () => {
  it("notify only the channel's listeners, once a frame, with the newest value", () => {
    const { store, frames, paint } = aStore();
    const shown = vi.fn();
    const other = vi.fn();
    store.subscribe([1], shown);
    store.subscribe([2], other);
    for (let value = 0; value < 50; value++) store.set(1, { value, status: 1 });
    expect(shown).not.toHaveBeenCalled();
    expect(frames).toHaveLength(1);
    paint();
    expect(shown).toHaveBeenCalledTimes(1);
    expect(other).not.toHaveBeenCalled();
    expect(store.of(1)).toEqual({ value: 49, status: 1 });
  });

  it("notify a tile of several channels once when more than one changed", () => {
    const { store, paint } = aStore();
    const tile = vi.fn();
    store.subscribe([1, 2, 3], tile);
    store.set(1, { value: 1, status: 1 });
    store.set(3, { value: 3, status: 1 });
    paint();
    expect(tile).toHaveBeenCalledTimes(1);
  });

  it("return the same object until the next value, so that nothing re-renders in vain", () => {
    const { store } = aStore();
    store.set(1, { value: 1, status: 1 });
    expect(store.of(1)).toBe(store.of(1));
  });

  it("are discarded when newer ones were loaded, and only those", () => {
    const { store, at, paint } = aStore();
    const shown = vi.fn();
    store.subscribe([1, 2], shown);
    at(100);
    store.set(1, { value: 1, status: 1 });
    at(200);
    store.set(2, { value: 2, status: 1 });
    paint();
    store.forgetBefore(150);
    paint();
    expect(store.of(1)).toBeUndefined();
    expect(store.of(2)).toEqual({ value: 2, status: 1 });
    expect(shown).toHaveBeenCalledTimes(2);
  });

  it("do not notify unsubscribed listeners", () => {
    const { store, paint } = aStore();
    const shown = vi.fn();
    store.subscribe([1], shown)();
    store.set(1, { value: 1, status: 1 });
    paint();
    expect(shown).not.toHaveBeenCalled();
  });
});
