import mqttPacket from "mqtt-packet";

/** mqtt-packet remembers the encoded form of every length below this that it has written. */
const remembered = 16_384;

/** The bytes of a PUBLISH beside its payload: the topic's length, and a topic of one character. */
const beside = 3;

const zeros = Buffer.alloc(remembered);

/** What packets are written to: all that mqtt-packet asks of a stream, and without a stream's buffers. */
type Sink = Pick<NodeJS.WritableStream, "write">;

/** Writes a PUBLISH whose length, without the fixed header, is this. */
export const writeOfLength = (length: number, to: Sink): void => {
  const payload = zeros.subarray(0, length - beside);
  const packet = { cmd: "publish", topic: "-", payload, qos: 0, dup: false, retain: false } as const;
  mqttPacket.writeToStream(packet, to as NodeJS.WritableStream);
};

/** Each is four bytes of a slab that it keeps alive: taken one after the other they share a few, taken as devices happen to send they would each keep one of 64 KB, a gigabyte in all. */
const rememberLengths = (): void => {
  for (let length = beside; length < remembered; length += 1) writeOfLength(length, { write: () => true });
};

/** Bounds what mqtt-packet keeps in memory: the lengths that it has written, and no table of all 65,536 packet numbers. */
export const limitPacketMemory = (): void => {
  mqttPacket.writeToStream.cacheNumbers = false;
  rememberLengths();
};
