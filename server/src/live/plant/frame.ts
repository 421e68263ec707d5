const finalText = 0x81;

/** Builds a WebSocket text frame as sent by a server, whole and unmasked, so that the same bytes go to any number of sockets. (RFC 6455 §5.2) */
export const textFrame = (text: string): Buffer => {
  const length = Buffer.byteLength(text);
  if (length < 126) return Buffer.concat([Buffer.from([finalText, length]), Buffer.from(text)]);
  const isLong = length > 0xffff;
  const head = Buffer.alloc(isLong ? 10 : 4);
  head.writeUInt8(finalText);
  head.writeUInt8(isLong ? 127 : 126, 1);
  if (isLong) head.writeBigUInt64BE(BigInt(length), 2);
  else head.writeUInt16BE(length, 2);
  return Buffer.concat([head, Buffer.from(text)]);
};
