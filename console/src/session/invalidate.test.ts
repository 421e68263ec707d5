import { MutationObserver, type QueryClient, QueryObserver } from "@tanstack/react-query";
import { describe, expect, it, onTestFinished } from "vitest";
import { invalidate } from "./invalidate.ts";
import { createQueryClient } from "./query.ts";

const list = { path: "/api/device/list" };

/** Mounts a query for the call; `answer` resolves its next in-flight request. */
const onScreen = (queries: QueryClient, { path }: { path: string }) => {
  const pending: ((data: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => pending.push(resolve));
  const observer = new QueryObserver(queries, { queryKey: [path, {}], queryFn });
  onTestFinished(observer.subscribe(() => {}));
  return {
    requests: () => pending.length,
    answer: async (data: string) => {
      pending.shift()?.(data);
      await new Promise(setImmediate);
    },
    shown: () => observer.getCurrentResult().data,
  };
};

describe("stale answers are refetched", () => {
  it("also when the first load, which predates the change, is in flight", async () => {
    const queries = createQueryClient();
    const { requests, answer, shown } = onScreen(queries, list);
    const done = invalidate(queries, [list]);
    expect(requests(), "the in-flight request is not cancelled").toBe(1);
    await answer("before the change");
    expect(requests(), "it is refetched once").toBe(1);
    await answer("after the change");
    await done;
    expect(shown()).toBe("after the change");
    expect(requests()).toBe(0);
  });

  it("at once when on screen, replacing an in-flight request", async () => {
    const queries = createQueryClient();
    const { requests, answer, shown } = onScreen(queries, list);
    await answer("first");
    void invalidate(queries);
    void invalidate(queries, [list]);
    expect(requests()).toBe(2);
    await answer("cancelled");
    expect(shown()).toBe("first");
    await answer("second");
    expect(shown()).toBe("second");
  });

  it("and no other answers are", async () => {
    const queries = createQueryClient();
    const { requests, answer } = onScreen(queries, list);
    await answer("first");
    await invalidate(queries, [{ path: "/api/device/info" }]);
    expect(requests()).toBe(0);
  });
});

/** A save that is answered by `answer` and then invalidates the list, like every save of the console. */
const aSave = (queries: QueryClient) => {
  const answered = Promise.withResolvers<void>();
  let loaded: Promise<void> | undefined;
  const save = new MutationObserver(queries, {
    mutationFn: () => answered.promise,
    onSuccess: () => {
      loaded = invalidate(queries, [list]);
    },
  });
  const saved = save.mutate();
  return {
    answer: async () => {
      answered.resolve();
      await saved;
    },
    loaded: () => loaded,
  };
};

describe("one change causes one refetch, although answer and live message both report it", () => {
  const opened = async () => {
    const queries = createQueryClient();
    const shown = onScreen(queries, list);
    await shown.answer("before");
    return { queries, ...shown };
  };

  it("when the message comes first", async () => {
    const { queries, requests, answer } = await opened();
    const save = aSave(queries);
    const refetched = invalidate(queries, [list]);
    expect(requests(), "the save is in flight").toBe(0);
    await save.answer();
    await expect.poll(requests).toBe(1);
    await answer("after");
    await Promise.all([refetched, save.loaded()]);
    expect(requests()).toBe(0);
  });

  it("when the answer comes first", async () => {
    const { queries, requests, answer } = await opened();
    const save = aSave(queries);
    await save.answer();
    const refetched = invalidate(queries, [list]);
    await expect.poll(requests).toBe(1);
    await answer("after");
    await Promise.all([refetched, save.loaded()]);
    expect(requests()).toBe(0);
  });

  it("when the machine or the network is slow, and the message with it", async () => {
    const { queries, requests, answer } = await opened();
    const save = aSave(queries);
    await new Promise((resolve) => setTimeout(resolve, 400));
    await save.answer();
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(requests(), "it waits as long as the save took").toBe(0);
    const refetched = invalidate(queries, [list]);
    await expect.poll(requests, { timeout: 5_000 }).toBe(1);
    await answer("after");
    await Promise.all([refetched, save.loaded()]);
    expect(requests()).toBe(0);
  });

  it("when the list is opened in between: answers requested after the change are not refetched", async () => {
    const queries = createQueryClient();
    const save = aSave(queries);
    await save.answer();
    const { requests, answer } = onScreen(queries, list);
    expect(requests()).toBe(1);
    await answer("after");
    await save.loaded();
    expect(requests()).toBe(0);
  });

  it("and other users' changes are fetched although a save hangs", async () => {
    const { queries, requests } = await opened();
    aSave(queries);
    void invalidate(queries, [list]);
    await expect.poll(requests, { timeout: 5_000 }).toBe(1);
  });
});
