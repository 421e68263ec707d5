/** Packets that a server sends to a publish-only device. */
export const PacketType = { connack: 2, puback: 4 } as const;

/** Splits a byte stream into MQTT packets; `onPacket` receives the type and the offset of the body. */
export const createPacketReader = (onPacket: (type: number, bytes: Buffer, body: number) => void) => {
  let kept: Buffer = Buffer.alloc(0);
  return (chunk: Buffer): void => {
    const bytes = kept.length > 0 ? Buffer.concat([kept, chunk]) : chunk;
    let at = 0;
    while (at + 1 < bytes.length) {
      let length = 0;
      let shift = 0;
      let next = at + 1;
      let byte = 0x80;
      while (byte & 0x80 && next < bytes.length) {
        byte = bytes[next++] ?? 0;
        length += (byte & 0x7f) << shift;
        shift += 7;
      }
      if (byte & 0x80 || next + length > bytes.length) break;
      onPacket((bytes[at] ?? 0) >> 4, bytes, next);
      at = next + length;
    }
    kept = bytes.subarray(at);
  };
};
