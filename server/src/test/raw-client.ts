import { connect } from "node:net";
import mqttPacket, { type IConnectPacket, type Packet } from "mqtt-packet";

/** A client that sends exactly the given packets, for behaviour that real clients do not show. */
export const rawClient = async (
  port: number,
  token: string,
  protocolVersion: 4 | 5 = 4,
  more: Partial<IConnectPacket> = {},
) => {
  const socket = connect(port, "127.0.0.1");
  const parser = mqttPacket.parser({ protocolVersion });
  const received: Packet[] = [];
  const waiting: { cmd: string; resolve: (packet: Packet) => void }[] = [];
  parser.on("packet", (packet: Packet) => {
    const at = waiting.findIndex((entry) => entry.cmd === packet.cmd);
    if (at >= 0) waiting.splice(at, 1)[0]?.resolve(packet);
    else received.push(packet);
  });
  socket.on("error", () => {});
  socket.on("data", (chunk: Buffer) => parser.parse(chunk));
  const send = (packet: Packet) => socket.write(mqttPacket.generate(packet, { protocolVersion }));
  const next = (cmd: string): Promise<Packet> => {
    const at = received.findIndex((packet) => packet.cmd === cmd);
    const [packet] = at >= 0 ? received.splice(at, 1) : [];
    return packet ? Promise.resolve(packet) : new Promise((resolve) => waiting.push({ cmd, resolve }));
  };
  send({
    cmd: "connect",
    protocolId: "MQTT",
    protocolVersion,
    clean: true,
    clientId: "raw",
    keepalive: 60,
    username: token,
    ...more,
  });
  const connack = await next("connack");
  return {
    connack,
    send,
    next,
    /** Whether an unread packet of this kind has arrived. */
    has: (cmd: string): boolean => received.some((packet) => packet.cmd === cmd),
    /** Sends raw bytes. */
    raw: (bytes: Buffer) => socket.write(bytes),
    /** Stops reading. */
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    closed: new Promise<void>((resolve) => socket.once("close", () => resolve())),
    close: () => socket.destroy(),
  };
};
