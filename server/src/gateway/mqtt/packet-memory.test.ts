import mqttPacket from "mqtt-packet";
import { expect, test } from "vitest";
import { limitPacketMemory, writeOfLength } from "./broker.ts";

test("packets of every length, in any order, keep little memory alive", () => {
  limitPacketMemory();
  const slabs = new Set<ArrayBufferLike>();
  // Enough is allocated between two packets to start the next slab.
  const somethingElse = (): void => {
    for (let size = 0; size < Buffer.poolSize; size += 1_000) Buffer.allocUnsafe(1_000);
  };
  for (let length = 16_000; length > 200; length -= 7) {
    somethingElse();
    const chunks: Buffer[] = [];
    writeOfLength(length, { write: (chunk) => chunks.push(chunk as Buffer) > 0 });
    const encoded = Buffer.of((length % 128) | 0x80, length >> 7);
    const remembered = chunks.find((chunk) => chunk.equals(encoded));
    if (!remembered) throw new Error(`No packet of ${length} bytes was written`);
    slabs.add(remembered.buffer);
  }
  expect(slabs.size).toBeLessThan(20);
});

test("no table of all packet numbers is kept", () => {
  limitPacketMemory();
  expect(mqttPacket.writeToStream.cacheNumbers).toBe(false);
});
