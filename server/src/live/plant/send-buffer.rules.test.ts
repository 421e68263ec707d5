import { LiveCommand, type LiveMessage } from "@telltale/contract/live";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPending, type Frame } from "./pending.ts";
import { createSendBuffer, highWater } from "./send-buffer.ts";

/** A network controlled by the test. */
const aWire = () => {
  const written: Buffer[] = [];
  const wire = {
    waiting: 0,
    write: (bytes: Buffer) => {
      written.push(bytes);
      wire.waiting += bytes.length;
    },
  };
  return { wire, written };
};

const value = (deviceChannelId: number, to: number) =>
  ({ cmd: LiveCommand.value, deviceChannelId, value: to, status: 1, updateTime: to }) as const;

const frames = (...messages: LiveMessage[]): Frame[] => {
  const pending = createPending();
  for (const message of messages) pending.add(message);
  return pending.take();
};
const batch = (list: readonly Frame[]) => Buffer.concat(list.map((frame) => frame.bytes));

/** The messages in written bytes; each frame here is shorter than 126 bytes. */
const read = (written: readonly Buffer[]): { deviceChannelId: number; value: number }[] => {
  const bytes = Buffer.concat(written);
  const messages = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 2 + Number(bytes[at + 1]);
    messages.push(JSON.parse(bytes.subarray(at + 2, end).toString()));
    at = end;
  }
  return messages;
};

describe("a socket's send buffer", () => {
  test("sends everything while the network is fast", () => {
    const { wire, written } = aWire();
    const sendBuffer = createSendBuffer(wire);
    const list = frames(value(1, 1), value(2, 1));
    expect(sendBuffer.offer(list, batch(list))).toBe(0);
    expect(read(written)).toEqual([value(1, 1), value(2, 1)]);
    expect(sendBuffer.isHolding).toBe(false);
  });

  test("keeps only the newest value of each channel while it is slow, and sends it afterwards", () => {
    const { wire, written } = aWire();
    const sendBuffer = createSendBuffer(wire);
    wire.waiting = highWater + 1;
    const dropped = [frames(value(1, 1), value(2, 1)), frames(value(1, 2)), frames(value(1, 3))].map((list) =>
      sendBuffer.offer(list, batch(list)),
    );
    expect(dropped).toEqual([0, 1, 1]);
    expect(written).toEqual([]);
    wire.waiting = 0;
    sendBuffer.drain();
    expect(read(written)).toEqual([value(1, 3), value(2, 1)]);
    expect(sendBuffer.isHolding).toBe(false);
  });

  test("does not tell what has changed since a message that it has dropped: the lists are fetched", () => {
    const { wire, written } = aWire();
    const sendBuffer = createSendBuffer(wire);
    const log = { changed: [], waiting: [], standing: [], places: [], family: [] };
    const change = (deviceId: number) => ({ cmd: LiveCommand.alertChange, deviceId, log }) as const;
    wire.waiting = highWater + 1;
    for (const list of [frames(change(1), change(2)), frames(change(1))]) sendBuffer.offer(list, batch(list));
    wire.waiting = 0;
    sendBuffer.drain();
    expect(read(written)).toEqual([{ cmd: LiveCommand.alertChange, deviceId: 1 }, change(2)]);
  });

  test("keeps the order: nothing overtakes kept messages", () => {
    const { wire, written } = aWire();
    const sendBuffer = createSendBuffer(wire);
    wire.waiting = highWater + 1;
    const old = frames(value(1, 1));
    sendBuffer.offer(old, batch(old));
    wire.waiting = 0;
    const fresh = frames(value(1, 2));
    sendBuffer.offer(fresh, batch(fresh));
    sendBuffer.drain();
    expect(read(written)).toEqual([value(1, 2)]);
  });

  test("whatever the network does: values of a channel stay in order, the newest arrives, what waits is bounded", () => {
    const steps = fc.array(fc.record({ channel: fc.nat(3), take: fc.boolean() }), { maxLength: 200 });
    fc.assert(
      fc.property(steps, (round) => {
        const { wire, written } = aWire();
        const sendBuffer = createSendBuffer(wire);
        const newest = new Map<number, number>();
        for (const [time, { channel, take }] of round.entries()) {
          wire.waiting = take ? 0 : highWater + 1;
          sendBuffer.drain();
          const list = frames(value(channel, time));
          sendBuffer.offer(list, batch(list));
          newest.set(channel, time);
        }
        wire.waiting = 0;
        sendBuffer.drain();
        const last = new Map<number, number>();
        for (const { deviceChannelId, value: time } of read(written)) {
          expect(time).toBeGreaterThan(last.get(deviceChannelId) ?? -1);
          last.set(deviceChannelId, time);
        }
        expect(last).toEqual(newest);
      }),
    );
  });
});
