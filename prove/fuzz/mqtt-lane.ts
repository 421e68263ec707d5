import { connect } from "node:net";
import mqttPacket, { type Packet } from "mqtt-packet";
import type { DeviceMessage } from "./device-messages.ts";

/** Result of a round of messages: all acknowledged, connection closed by the server, or neither in time. */
export type Outcome = "acknowledged" | "closed" | "silent";

/** A device's connection that publishes arbitrary messages. */
export interface MqttLane {
  isOpen(): boolean;
  /** Publishes all of them at once with QoS 1 and waits at most `patience` milliseconds for the server. */
  publish(messages: readonly DeviceMessage[], patience: number): Promise<Outcome>;
  close(): void;
}

interface Address {
  port: number;
  token: string;
  protocolVersion: 4 | 5;
}

/** The CONNECT packet of a device. */
export const connectPacket = ({ token, protocolVersion }: Omit<Address, "port">): Buffer =>
  mqttPacket.generate(
    { cmd: "connect", protocolId: "MQTT", protocolVersion, clean: true, clientId: "", keepalive: 60, username: token },
    { protocolVersion },
  );

/** An encoded PUBLISH packet. */
export const publishPacket = (
  { topic, payload }: DeviceMessage,
  messageId: number,
  protocolVersion: 4 | 5 = 4,
): Buffer =>
  mqttPacket.generate(
    { cmd: "publish", topic, payload, qos: 1, messageId, dup: false, retain: false },
    { protocolVersion },
  );

/** Connects as the device with this token. */
export const openMqttLane = async ({ port, token, protocolVersion }: Address): Promise<MqttLane> => {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  const parser = mqttPacket.parser({ protocolVersion });
  let isOpen = true;
  let heard: (packet: Packet | undefined) => void = () => undefined;
  parser.on("packet", (packet: Packet) => heard(packet));
  socket.on("data", (bytes: Buffer) => parser.parse(bytes));
  socket.on("error", () => undefined);
  socket.on("close", () => {
    isOpen = false;
    heard(undefined);
  });
  /** Resolves with the first defined result of `outcomeOf`. */
  const until = <T>(outcomeOf: (packet: Packet | undefined) => T | undefined, late: T, patience: number): Promise<T> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => resolve(late), patience);
      heard = (packet) => {
        const end = outcomeOf(packet);
        if (end === undefined) return;
        clearTimeout(timer);
        resolve(end);
      };
    });
  const connected = until((packet) => (packet === undefined ? false : packet.cmd === "connack"), false, 10_000);
  socket.write(connectPacket({ token, protocolVersion }));
  if (!(await connected)) throw new Error("The server did not take a device's connection");
  return {
    isOpen: () => isOpen,
    publish: (messages, patience) => {
      let left = messages.length;
      const ended = until<Outcome>(
        (packet) => {
          if (packet === undefined) return "closed";
          if (packet.cmd === "puback") left -= 1;
          return left === 0 ? "acknowledged" : undefined;
        },
        "silent",
        patience,
      );
      socket.write(Buffer.concat(messages.map((message, at) => publishPacket(message, at + 1, protocolVersion))));
      return ended;
    },
    close: () => socket.destroy(),
  };
};
