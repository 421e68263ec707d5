import { type QueryClient, QueryObserver } from "@tanstack/react-query";
import { describe, expect, it, onTestFinished } from "vitest";
import { outdate } from "./outdate.ts";
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
    const done = outdate(queries, [list]);
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
    void outdate(queries);
    void outdate(queries, [list]);
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
    await outdate(queries, [{ path: "/api/device/info" }]);
    expect(requests()).toBe(0);
  });
});
