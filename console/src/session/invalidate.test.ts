import { MutationObserver, type QueryClient, QueryObserver } from "@tanstack/react-query";
import { describe, expect, it, onTestFinished } from "vitest";
import { invalidate } from "./invalidate.ts";
import { createQueryClient } from "./query.ts";

const list = { path: "/api/device/list" };

/** A call on screen; `answer` lets the next request that is on its way come back with this. */
const onScreen = (queries: QueryClient, { path }: { path: string }) => {
  const underWay: ((data: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => underWay.push(resolve));
  const observer = new QueryObserver(queries, { queryKey: [path, {}], queryFn });
  onTestFinished(observer.subscribe(() => {}));
  return {
    requests: () => underWay.length,
    answer: async (data: string) => {
      underWay.shift()?.(data);
      await new Promise(setImmediate);
    },
    shown: () => observer.getCurrentResult().data,
  };
};

describe("what is out of date is loaded again", () => {
  it("also when its first answer, from before the change, is still on its way", async () => {
    const queries = createQueryClient();
    const { requests, answer, shown } = onScreen(queries, list);
    const done = invalidate(queries, [list]);
    expect(requests(), "the one that is on its way is let come").toBe(1);
    await answer("before the change");
    expect(requests(), "it is asked for once more").toBe(1);
    await answer("after the change");
    await done;
    expect(shown()).toBe("after the change");
    expect(requests()).toBe(0);
  });

  it("at once when it is on screen, in place of a request that is on its way", async () => {
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

  it("and nothing else is", async () => {
    const queries = createQueryClient();
    const { requests, answer } = onScreen(queries, list);
    await answer("first");
    await invalidate(queries, [{ path: "/api/device/info" }]);
    expect(requests()).toBe(0);
  });
});

/** A save whose answer comes with `answer`, and says then that the list is out of date, as every save of the console does. */
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

describe("one change is one request, although a save hears of it by its answer and by the live message", () => {
  const opened = async () => {
    const queries = createQueryClient();
    const shown = onScreen(queries, list);
    await shown.answer("before");
    return { queries, ...shown };
  };

  it("when the message comes first", async () => {
    const { queries, requests, answer } = await opened();
    const save = aSave(queries);
    const told = invalidate(queries, [list]);
    expect(requests(), "the save is in flight").toBe(0);
    await save.answer();
    await expect.poll(requests).toBe(1);
    await answer("after");
    await Promise.all([told, save.loaded()]);
    expect(requests()).toBe(0);
  });

  it("when the answer comes first", async () => {
    const { queries, requests, answer } = await opened();
    const save = aSave(queries);
    await save.answer();
    const told = invalidate(queries, [list]);
    await expect.poll(requests).toBe(1);
    await answer("after");
    await Promise.all([told, save.loaded()]);
    expect(requests()).toBe(0);
  });

  it("when the list is opened in between: what was asked for after the change is not asked for again", async () => {
    const queries = createQueryClient();
    const save = aSave(queries);
    await save.answer();
    const { requests, answer } = onScreen(queries, list);
    expect(requests()).toBe(1);
    await answer("after");
    await save.loaded();
    expect(requests()).toBe(0);
  });

  it("and what others change is loaded although a save hangs", async () => {
    const { queries, requests } = await opened();
    aSave(queries);
    void invalidate(queries, [list]);
    await expect.poll(requests, { timeout: 5_000 }).toBe(1);
  });
});
