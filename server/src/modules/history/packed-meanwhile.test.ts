import { history } from "@telltale/contract/domains/readings/history";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type TestExports, testExports } from "../../test/test-exports.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;
let plant: TestExports;

beforeAll(async () => {
  server = await startTestServer();
  plant = testExports(server);
});
afterAll(() => server.close());

const [hour, day] = [3_600_000, 86_400_000];

/** Runs `work` just before the n-th statement that reads readings; returns whether there was one. */
const beforeStatement = (number: number, work: () => Promise<unknown>) => {
  const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
  let left = number;
  const spy = vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const [request] = given as [string | { text?: string }];
    const text = typeof request === "string" ? request : (request.text ?? "");
    if (/FROM (chunks|packed_hours)/.test(text) && left-- === 0) return work().then(() => query.apply(this, given));
    return query.apply(this, given);
  } as never);
  return {
    end: (): boolean => {
      spy.mockRestore();
      return left < 0;
    },
  };
};

/** A channel with `first` packed readings, whose answer is requested while an hour is packed before each of its statements. */
const isAlwaysWhole = async (
  span: number,
  first: number,
  answer: (owner: { token: string }, logId: number) => Promise<number[]>,
): Promise<void> => {
  const { owner, AI1 } = await plant.aPlant();
  const from = Math.floor((server.world.clock.now() - span) / hour) * hour;
  await plant.write(AI1, from, first, 1000);
  await plant.write(AI1, from + span - hour, 1);
  await plant.pack(from, from + span);
  const { data } = await server.as(owner)(history.periods, { channelId: AI1 });
  for (let number = 0, all = first + 11; ; number++, all += 10) {
    const late = from + (2 + number) * hour;
    await plant.write(AI1, late + 500, 10);
    const packing = beforeStatement(number, () => plant.pack(late, late + hour));
    const given = await answer(owner, data[0]?.logGroupId ?? 0);
    const wasPacked = packing.end();
    for (const count of given) expect(count, `packed before statement ${number}`).toBe(all);
    if (!wasPacked) break;
  }
};

test.each([
  ["few readings", day / 2, 1],
  ["readings", hour * 12, 2100],
  ["minutes", 10 * day, 2100],
  ["hours", 900 * day, 2100],
])("a chart of %s counts each reading once, also when it is packed meanwhile", async (_name, span, first) => {
  await isAlwaysWhole(span, first, async (owner, logId) => {
    const { count } = await server.as(owner)(history.chart, { logId });
    return [count];
  });
});

test("a list holds each reading once, also when it is packed meanwhile", async () => {
  await isAlwaysWhole(day / 2, 1, async (owner, logId) => {
    const { data, total } = await server.as(owner)(history.points, { logId, size: 200 });
    return [total, data.length, new Set(data.map(({ deviceTimestamp }) => deviceTimestamp.getTime())).size];
  });
});
