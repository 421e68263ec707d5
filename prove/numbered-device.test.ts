import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { postedAtOnce, startHttpDevice } from "./numbered-device.ts";
import { isOccurrence, type Numbers, timedMessage } from "./numbers.ts";

const numbers: Numbers = { since: 0, codes: ["AI1"], occurrenceEvery: 10 };
const step = Number(timedMessage(numbers, 1).ts);

/** A server that refuses the first try of every occurrence and stores all others, once several are open at the same time. */
const startRefusing = async () => {
  const stored: number[] = [];
  const refused = new Set<number>();
  const { promise: severalAreOpen, resolve } = Promise.withResolvers<void>();
  let open = 0;
  const server = createServer(async (request, response) => {
    open += 1;
    if (open === postedAtOnce) resolve();
    await severalAreOpen;
    const { ts } = (await json(request)) as { ts: number };
    const n = ts / step;
    const isRefused = isOccurrence(numbers, n) && !refused.has(n);
    if (isRefused) refused.add(n);
    else stored.push(n);
    response.writeHead(isRefused ? 503 : 200).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, stored, refused };
};

test("a device that posts several messages at once posts nothing after an occurrence before that is stored, however often it was refused", async () => {
  const { url, stored, refused } = await startRefusing();
  const messageOf = (n: number) => timedMessage(numbers, n);
  const comesFirst = (n: number) => isOccurrence(numbers, n);
  const device = startHttpDevice([url], { accessToken: "token" }, messageOf, { comesFirst });
  await vi.waitFor(() => expect(refused.size).toBeGreaterThan(3));
  await device.finish();
  expect(device.acknowledged()).toBe(device.sent());
  expect(stored.toSorted((a, b) => a - b)).toEqual(Array.from({ length: device.sent() }, (_, n) => n));
  for (const n of refused) expect(stored.slice(0, stored.indexOf(n)).filter((earlier) => earlier > n)).toEqual([]);
});
