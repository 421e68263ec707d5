import { EventEmitter } from "node:events";
import type { Client } from "aedes";
import { expect, test } from "vitest";
import { createAcknowledgements } from "./acknowledgements.ts";

/** A connection that notes what is written; `hasRoom`: whether its buffer takes more. */
const connection = ({ hasRoom = true, closed = false } = {}) => {
  const written: Buffer[] = [];
  const write = (bytes: Buffer): boolean => {
    written.push(bytes);
    return hasRoom;
  };
  const conn = Object.assign(new EventEmitter(), { write, destroyed: false });
  return { client: { conn, closed } as unknown as Client, conn, written };
};

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

test("what a commit acknowledges of one connection is one write, in the order of its messages", async () => {
  const [one, other] = [connection(), connection()];
  const acknowledgements = createAcknowledgements();
  const sent: number[] = [];
  for (const id of [7, 8, 0xfffe]) acknowledgements.send(one.client, id, () => sent.push(id));
  acknowledgements.send(other.client, 1, () => sent.push(1));
  await nextTurn();
  expect(one.written).toEqual([Buffer.from([0x40, 2, 0, 7, 0x40, 2, 0, 8, 0x40, 2, 0xff, 0xfe])]);
  expect(other.written).toEqual([Buffer.from([0x40, 2, 0, 1])]);
  expect(sent).toEqual([7, 8, 0xfffe, 1]);
});

test("a client that does not read its acknowledgements is not read on", async () => {
  const { client, conn } = connection({ hasRoom: false });
  const acknowledgements = createAcknowledgements();
  const sent: number[] = [];
  for (const id of [1, 2]) acknowledgements.send(client, id, () => sent.push(id));
  await nextTurn();
  expect(sent).toEqual([]);
  conn.emit("drain");
  expect(sent).toEqual([1, 2]);
});

test("a message whose client has gone is done without a write", async () => {
  const { client, written } = connection({ closed: true });
  const sent: number[] = [];
  createAcknowledgements().send(client, 1, () => sent.push(1));
  await nextTurn();
  expect([written, sent]).toEqual([[], [1]]);
});
