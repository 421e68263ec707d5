import type { Socket } from "node:net";

/** What a proxy says in front of a connection's own bytes. */
export interface ProxyHeader {
  /** Bytes of the header; 0 when there is none. */
  length: number;
  /** The client's address; undefined when the proxy speaks for itself, as in its checks. */
  address: string | undefined;
}

const signature = Buffer.from("\r\n\r\n\0\r\nQUIT\n", "latin1");
const start = Buffer.from("PROXY ", "latin1");

/** Longest line of version 1, with its end. */
const longestLine = 107;
/** Fixed part of version 2, and the most that may follow it: addresses, and what the proxy adds to them. */
const [fixed, longestRest] = [16, 4_096];

const malformed = (): Error => new Error("Malformed header of the PROXY protocol");

const isBeginningOf = (whole: Buffer, bytes: Buffer): boolean =>
  bytes.subarray(0, whole.length).equals(whole.subarray(0, bytes.length));

const lineOf = (bytes: Buffer): ProxyHeader | undefined => {
  const end = bytes.subarray(0, longestLine).indexOf("\r\n");
  if (end < 0) {
    if (bytes.length >= longestLine) throw malformed();
    return undefined;
  }
  const [, family, address] = bytes.toString("latin1", 0, end).split(" ");
  return { length: end + 2, address: family === "TCP4" || family === "TCP6" ? address : undefined };
};

const ipv6Of = (bytes: Buffer): string =>
  Array.from({ length: 8 }, (_, group) => bytes.readUInt16BE(2 * group).toString(16)).join(":");

/** TCP over IPv4 and over IPv6: the size of both addresses and ports, and the first address as text. */
const families: Readonly<Record<number, { size: number; addressOf: (bytes: Buffer) => string } | undefined>> = {
  17: { size: 12, addressOf: (bytes) => bytes.subarray(0, 4).join(".") },
  33: { size: 36, addressOf: ipv6Of },
};

const binaryOf = (bytes: Buffer): ProxyHeader | undefined => {
  if (bytes.length < fixed) return undefined;
  const [version, family, rest] = [bytes.readUInt8(12), bytes.readUInt8(13), bytes.readUInt16BE(14)];
  if (version >> 4 !== 2 || rest > longestRest) throw malformed();
  const length = fixed + rest;
  if (bytes.length < length) return undefined;
  const isForClient = (version & 0xf) === 1;
  const known = isForClient ? families[family] : undefined;
  if (known && rest < known.size) throw malformed();
  return { length, address: known?.addressOf(bytes.subarray(fixed)) };
};

/**
 * The header of the PROXY protocol, version 1 or 2, at the beginning of a connection; undefined until enough bytes have arrived. Neither MQTT nor TLS
 * begins with such bytes. Throws when it is malformed. (https://www.haproxy.org/download/2.6/doc/proxy-protocol.txt)
 */
export const proxyHeaderOf = (bytes: Buffer): ProxyHeader | undefined => {
  if (isBeginningOf(signature, bytes)) return bytes.length < signature.length ? undefined : binaryOf(bytes);
  if (isBeginningOf(start, bytes)) return bytes.length < start.length ? undefined : lineOf(bytes);
  return { length: 0, address: undefined };
};

/** Whether bytes begin as a header of the PROXY protocol does. */
export const isProxyHeader = (bytes: Buffer): boolean =>
  bytes.length > 0 && (isBeginningOf(signature, bytes) || isBeginningOf(start, bytes));

/**
 * Takes the header off a proxy's connection, then calls `done` with the client's address. Closes the connection when the header is malformed or does
 * not arrive in `timeout` milliseconds.
 */
export const takeProxyHeader = (socket: Socket, timeout: number, done: (address: string | undefined) => void): void => {
  let seen = Buffer.alloc(0);
  const timer = setTimeout(() => socket.destroy(), timeout);
  const end = (): void => {
    clearTimeout(timer);
    socket.off("readable", look);
  };
  const look = (): void => {
    const chunk: Buffer | null = socket.read();
    if (chunk === null) return;
    seen = Buffer.concat([seen, chunk]);
    try {
      const header = proxyHeaderOf(seen);
      if (!header) return;
      end();
      const rest = seen.subarray(header.length);
      if (rest.length > 0) socket.unshift(rest);
      done(header.address);
    } catch {
      end();
      socket.destroy();
    }
  };
  // A broken connection is no fault of the server.
  socket.on("error", end);
  socket.once("close", end);
  socket.on("readable", look);
};
