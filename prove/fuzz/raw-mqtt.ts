import { connect } from "node:net";
import type { Random } from "../random.ts";
import { deviceMessage } from "./device-messages.ts";
import { connectPacket, publishPacket } from "./mqtt-lane.ts";
import { damaged } from "./mutate.ts";

interface Target {
  port: number;
  token: string;
  ids: readonly string[];
}

const subscribe = Buffer.from([0x82, 9, 0, 1, 0, 4, 0x76, 0x31, 0x2f, 0x23, 1]);
const others = [subscribe, Buffer.from([0xc0, 0]), Buffer.from([0x40, 2, 0, 1]), Buffer.from([0x62, 2, 0, 1])];

/** The bytes of a connection: packets of MQTT 3.1.1 or 5, some damaged; the first rarely, because otherwise the rest would not be read. */
export const rawBytes = (random: Random, { token, ids }: Omit<Target, "port">): Buffer => {
  const protocolVersion = random.pick([4, 5] as const);
  const first = connectPacket({ token, protocolVersion });
  const packets = Array.from({ length: 1 + random.below(4) }, (_, at) => {
    const packet = random.chance(0.6)
      ? publishPacket(deviceMessage(random, ids), at + 1, protocolVersion)
      : random.pick(others);
    return random.chance(0.8) ? damaged(random, packet) : packet;
  });
  return Buffer.concat([random.chance(0.3) ? damaged(random, first) : first, ...packets]);
};

/** How long to wait on a connection that the server leaves open, milliseconds. */
const moment = 20;

/** Sends bytes on a separate connection. Resolves to false when the server did not accept the connection. */
export const sendRaw = (port: number, bytes: Buffer): Promise<boolean> =>
  new Promise((resolve) => {
    let isAccepted = false;
    const socket = connect({ port, host: "127.0.0.1" }, () => {
      isAccepted = true;
      socket.write(bytes, () => setTimeout(() => socket.resetAndDestroy(), moment));
    });
    socket.setTimeout(5_000, () => socket.destroy());
    socket.on("data", () => undefined);
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(isAccepted));
  });
