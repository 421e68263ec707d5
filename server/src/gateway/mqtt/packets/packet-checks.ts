import { ConnectionEnded, PacketTooLarge, Reason } from "../mqtt5/reasons.ts";
import { afterBinary, afterBytes, afterText, byteAt, malformed, numberAt, protocolError, textAt } from "./fields.ts";
import type { PacketChecks } from "./packet-reader.ts";
import { afterProperties } from "./properties.ts";

/** Packet types that are checked. [MQTT 2.2.1] */
const Type = {
  none: 0,
  connect: 1,
  connack: 2,
  publish: 3,
  puback: 4,
  pubcomp: 7,
  subscribe: 8,
  suback: 9,
  unsubscribe: 10,
  unsuback: 11,
  pingresp: 13,
  disconnect: 14,
} as const;

/** Packet types that only a server sends. */
const fromServers: readonly number[] = [Type.connack, Type.suback, Type.unsuback, Type.pingresp];

/** Largest CONNECT, bytes: an access token, a client identifier and a will need a few hundred. */
export const connectLimit = 8 * 1024;

/** Bridges set this bit in the protocol level. */
const bridgeBit = 0x80;

const afterWill = (packet: Buffer, at: number, level: number, flags: number): number => {
  if ((flags & 0x18) === 0x18) throw malformed("A will's QoS can't be 3");
  const topicAt = level === 5 ? afterProperties(packet, at, "will") : at;
  return afterBinary(packet, afterText(packet, topicAt));
};

/** Validates a CONNECT; returns its protocol level. */
const checkConnect = (packet: Buffer, bodyAt: number): number => {
  const levelAt = afterText(packet, bodyAt);
  const level = byteAt(packet, levelAt) & ~bridgeBit;
  const flags = byteAt(packet, levelAt + 1);
  const keepAliveEnd = afterBytes(packet, levelAt + 2, 2);
  const clientIdAt = level === 5 ? afterProperties(packet, keepAliveEnd, "connect") : keepAliveEnd;
  const hasClientId = textAt(packet, clientIdAt).length > 0;
  let at = afterText(packet, clientIdAt);
  if (flags & 0x04) at = afterWill(packet, at, level, flags);
  // Any bytes are accepted: a user name that is not a token is answered later.
  if (flags & 0x80) at = afterBinary(packet, at);
  if (flags & 0x40) at = afterBinary(packet, at);
  if (at < packet.length) throw malformed("There is something behind the CONNECT's last field");
  // [MQTT-3.1.3-8]
  if (level === 4 && !hasClientId && !(flags & 0x02))
    throw new ConnectionEnded(Reason.clientIdentifierNotValid, "A session that goes on needs a client identifier");
  return level;
};

const afterIdentifier = (packet: Buffer, at: number): number => {
  // [MQTT-2.3.1-1]
  if (numberAt(packet, at) === 0) throw protocolError("A packet identifier can't be 0");
  return at + 2;
};

const checkPublish = (packet: Buffer, bodyAt: number, level: number): void => {
  const topicEnd = afterText(packet, bodyAt);
  const at = (packet[0] ?? 0) & 0x06 ? afterIdentifier(packet, topicEnd) : topicEnd;
  if (level === 5) afterProperties(packet, at, "publish");
};

/** Most topic filters in one packet: they are handled in one turn of the event loop. A device may have 100 subscriptions. */
const mostFilters = 1_000;

const checkFilters = (packet: Buffer, bodyAt: number, level: number, place: "subscribe" | "unsubscribe"): void => {
  const identifierEnd = afterIdentifier(packet, bodyAt);
  const first = level === 5 ? afterProperties(packet, identifierEnd, place) : identifierEnd;
  // [MQTT-3.8.3-3] [MQTT-3.10.3-2]
  if (first === packet.length) throw protocolError("There is no topic filter");
  const options = place === "subscribe" ? 1 : 0;
  let filters = 0;
  for (let at = first; at < packet.length; filters += 1) {
    if (filters === mostFilters) throw protocolError(`There are more than ${mostFilters} topic filters`);
    at = afterBytes(packet, afterText(packet, at), options);
  }
};

const checkAnswer = (packet: Buffer, bodyAt: number, level: number): void => {
  const reasonAt = afterBytes(packet, bodyAt, 2);
  if (level === 5 && packet.length > reasonAt + 1) afterProperties(packet, reasonAt + 1, "acknowledgement");
};

const checkAfterConnect = (packet: Buffer, bodyAt: number, level: number): void => {
  const type = (packet[0] ?? 0) >> 4;
  if (type === Type.publish) checkPublish(packet, bodyAt, level);
  else if (type >= Type.puback && type <= Type.pubcomp) checkAnswer(packet, bodyAt, level);
  else if (type === Type.subscribe) checkFilters(packet, bodyAt, level, "subscribe");
  else if (type === Type.unsubscribe) checkFilters(packet, bodyAt, level, "unsubscribe");
  else if (type === Type.disconnect && level === 5 && packet.length > bodyAt + 1)
    afterProperties(packet, bodyAt + 1, "disconnect");
};

/**
 * Creates the validation that the standard demands and mqtt-packet lacks, for every version. `largest` returns the size limit in bytes of packets
 * after the CONNECT.
 */
export const createPacketChecks = (largest: () => number): PacketChecks => {
  let level: number | undefined;
  return {
    checkHeader: (firstByte, length) => {
      const type = firstByte >> 4;
      // [MQTT-3.1.0-1] [MQTT-3.1.0-2]
      if ((type === Type.connect) !== (level === undefined))
        throw protocolError("A connection begins with one CONNECT");
      if (length > (level === undefined ? connectLimit : largest())) throw new PacketTooLarge();
      if (type === Type.none) throw malformed("There is no such packet");
      if (fromServers.includes(type)) throw protocolError("Only a server sends this packet");
    },
    checkPacket: (packet, bodyAt) => {
      if (level === undefined) level = checkConnect(packet, bodyAt);
      else checkAfterConnect(packet, bodyAt, level);
    },
  };
};
