import fc from "fast-check";
import { expect, test } from "vitest";
import { createOutbox, type Message } from "./outbox.ts";

const momentsIn = ({ isGateway, payload }: Message): [string, number][] => {
  const content = JSON.parse(payload);
  const entries = isGateway ? Object.entries<{ ts: number }[]>(content) : [["own", content] as const];
  return entries.flatMap(([device, list]) =>
    (list as { ts: number }[]).map(({ ts }): [string, number] => [device, ts]),
  );
};

test("every sample is sent once and in its device's order, in any number of messages", async () => {
  const aMoment = fc.tuple(fc.constantFrom("own", "a", "b"), fc.boolean());
  await fc.assert(
    fc.asyncProperty(fc.array(aMoment, { maxLength: 300 }), fc.nat(250), async (moments, worthwhile) => {
      const sent: [string, number][] = [];
      let isConnected = false;
      const outbox = createOutbox({
        own: "own",
        inFlight: 2,
        memory: Number.POSITIVE_INFINITY,
        isConnected: () => isConnected,
        send: async (message) => void sent.push(...momentsIn(message)),
      });
      for (const [ts, [device, flushes]] of moments.entries()) {
        isConnected = ts % 3 === 0;
        outbox.add(device, `{"ts":${ts},"values":{}}`, 1);
        if (flushes) outbox.flush(worthwhile);
      }
      isConnected = true;
      outbox.flush(1);
      await outbox.below(1);
      expect(outbox.counts).toEqual({ acknowledged: moments.length, pending: 0, dropped: 0 });
      for (const name of ["own", "a", "b"]) {
        const expected = moments.flatMap(([device], ts) => (device === name ? [ts] : []));
        expect(sent.filter(([device]) => device === name).map(([, ts]) => ts)).toEqual(expected);
      }
    }),
  );
});

test("a full memory drops and counts the oldest readings", () => {
  const outbox = createOutbox({
    own: "own",
    inFlight: 1,
    memory: 100,
    isConnected: () => false,
    send: async () => undefined,
  });
  for (let ts = 0; ts < 500; ts++) outbox.add("own", `{"ts":${ts}}`, 1);
  expect(outbox.counts.pending).toBeLessThanOrEqual(100);
  expect(outbox.counts.pending).toBeGreaterThan(80);
  expect(outbox.counts.dropped).toBe(500 - outbox.counts.pending);
});
