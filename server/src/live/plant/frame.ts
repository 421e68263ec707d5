const finalText = 0x81;

/** Builds a WebSocket text frame as sent by a server, whole and unmasked, so that the same bytes go to any number of sockets. (RFC 6455 §5.2) */
export const textFrame = (text: string): Buffer => {
  const length = Buffer.byteLength(text);
  if (length < 126) return Buffer.concat([Buffer.from([finalText, length]), Buffer.from(text)]);
  if (length > 0xffff) throw new Error(`A live message of ${length} bytes is too long for its frame`);
  const head = Buffer.from([finalText, 126, 0, 0]);
  head.writeUInt16BE(length, 2);
  return Buffer.concat([head, Buffer.from(text)]);
};
