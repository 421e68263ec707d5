import {
  afterBinary,
  afterBytes,
  afterText,
  byteAt,
  malformed,
  numberAt,
  protocolError,
  textAt,
  variableAt,
} from "./fields.ts";

/** Where properties occur: in a client's packet, or in the will of its CONNECT. */
export type Place = "connect" | "will" | "publish" | "subscribe" | "unsubscribe" | "acknowledgement" | "disconnect";

interface Property {
  places: readonly Place[];
  /** Returns the end of its value. Throws when the value is invalid. */
  after: (packet: Buffer, at: number) => number;
}

const fourBytes = (packet: Buffer, at: number): number => afterBytes(packet, at, 4);

const twoBytes = (packet: Buffer, at: number): number => afterBytes(packet, at, 2);

const yesOrNo = (packet: Buffer, at: number): number => {
  if (byteAt(packet, at) > 1) throw protocolError("A property is neither 0 nor 1");
  return at + 1;
};

const atLeastOne = (value: number, next: number): number => {
  if (value === 0) throw protocolError("A property that must not be 0 is 0");
  return next;
};

const topicName = (packet: Buffer, at: number): number => {
  const topic = textAt(packet, at);
  if (topic.includes("#") || topic.includes("+")) throw protocolError("A response topic has a wildcard in it");
  return at + 2 + topic.length;
};

const aboveZero = (packet: Buffer, at: number): number => {
  const { value, next } = variableAt(packet, at);
  return atLeastOne(value, next);
};

const publications = ["publish", "will"] as const;

/** The properties that a client may send, by their identifiers. [MQTT5 2.2.2.2] */
const properties = new Map<number, Property>([
  [0x01, { places: publications, after: yesOrNo }],
  [0x02, { places: publications, after: fourBytes }],
  [0x03, { places: publications, after: afterText }],
  [0x08, { places: publications, after: topicName }],
  [0x09, { places: publications, after: afterBinary }],
  [0x0b, { places: ["subscribe"], after: aboveZero }],
  [0x11, { places: ["connect", "disconnect"], after: fourBytes }],
  [0x15, { places: ["connect"], after: afterText }],
  [0x16, { places: ["connect"], after: afterBinary }],
  [0x17, { places: ["connect"], after: yesOrNo }],
  [0x18, { places: ["will"], after: fourBytes }],
  [0x19, { places: ["connect"], after: yesOrNo }],
  [0x1f, { places: ["acknowledgement", "disconnect"], after: afterText }],
  [0x21, { places: ["connect"], after: (packet, at) => atLeastOne(numberAt(packet, at), at + 2) }],
  [0x22, { places: ["connect"], after: twoBytes }],
  [0x23, { places: ["publish"], after: twoBytes }],
  [
    0x27,
    {
      places: ["connect"],
      after: (packet, at) => atLeastOne(packet.readUInt32BE(fourBytes(packet, at) - 4), at + 4),
    },
  ],
]);

const [subscriptionIdentifier, userProperty, authenticationMethod, authenticationData] = [0x0b, 0x26, 0x15, 0x16];

const propertyAt = (code: number, place: Place): Property => {
  // [MQTT-3.3.4-6]
  if (code === subscriptionIdentifier && place === "publish")
    throw protocolError("Only a server's PUBLISH has a subscription identifier");
  const property = properties.get(code);
  if (!property?.places.includes(place)) throw malformed("A property does not belong to its packet");
  return property;
};

/** Validates the properties of a packet and returns their end; mqtt-packet accepts any number, in any packet and of any value. */
export const afterProperties = (packet: Buffer, from: number, place: Place): number => {
  const { value: length, next } = variableAt(packet, from);
  const end = afterBytes(packet, next, length);
  const own = packet.subarray(0, end);
  const seen = new Set<number>();
  let at = next;
  while (at < end) {
    const code = byteAt(own, at);
    at += 1;
    if (code === userProperty) {
      at = afterText(own, afterText(own, at));
      continue;
    }
    const property = propertyAt(code, place);
    if (seen.has(code)) throw protocolError("A property is repeated");
    seen.add(code);
    at = property.after(own, at);
  }
  if (seen.has(authenticationData) && !seen.has(authenticationMethod))
    throw protocolError("There is authentication data without a method");
  return end;
};
