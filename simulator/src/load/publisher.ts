import { connect, type Socket } from "node:net";
import { connectPacket } from "./connect-packet.ts";
import type { Histogram } from "./histogram.ts";
import { createPacketReader, PacketType } from "./packet-reader.ts";
import { publishPacket, type ValueRange } from "./publish-packet.ts";

/** A publishing device: its access token and the channels it has values for. */
export interface LoadDevice {
  token: string;
  codes: string[];
  /** Defaults to 10 to 69.99. */
  range?: ValueRange;
}

/** Counters shared by all publishers. */
export interface Counts {
  sent: number;
  acknowledged: number;
  /** Connections that were refused or lost. */
  lost: number;
}

/** One connection that publishes as fast as its window permits. */
export interface Publisher {
  connected: Promise<void>;
  /** Publishes at most `most` messages now; returns how many. Fewer when the window or the socket buffer is full. */
  publish: (most: number) => number;
  end: () => void;
}

/** Readings of the past, as a device sends them that was away. */
export interface Past {
  /** Time of the first sample, epoch milliseconds. */
  from: number;
  /** Time between two messages, milliseconds. */
  step: number;
}

export interface PublisherNeeds {
  host: string;
  port: number;
  device: LoadDevice;
  readingsPerMessage: number;
  /** Absent: the current time. */
  past?: Past;
  /** Maximum messages in flight. */
  inFlight: number;
  counts: Counts;
  latency: Histogram;
  /** Called on an acknowledgement: the window has space again. */
  onRoom: () => void;
}

/** Bytes buffered in the socket at which a publisher pauses. */
const socketBound = 256 * 1024;
const lastPacketId = 65_535;

/** Settles when the server has accepted the device. */
const signIn = (socket: Socket, token: string): { promise: Promise<void>; onConnack: (code: number) => void } => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.on("connect", () => socket.write(connectPacket(`load-${token.slice(0, 16)}`, token, 0)));
  socket.on("error", reject);
  socket.on("close", () => reject(new Error("The connection was closed")));
  const onConnack = (code: number) =>
    code === 0 ? resolve() : reject(new Error(`The server refused the connection (code ${code})`));
  return { promise, onConnack };
};

/** Packet identifiers with the times at which they were sent; an acknowledgement frees its slot. */
const createWindow = () => {
  const sentAt = new Float64Array(lastPacketId + 1);
  let last = 0;
  let open = 0;
  return {
    open: () => open,
    take: (now: number): number => {
      do last = last === lastPacketId ? 1 : last + 1;
      while (sentAt[last] !== 0);
      sentAt[last] = now;
      open++;
      return last;
    },
    /** When the message was sent; 0 for one that is not in flight. */
    release: (packetId: number): number => {
      const at = sentAt[packetId] ?? 0;
      if (at !== 0) {
        sentAt[packetId] = 0;
        open--;
      }
      return at;
    },
  };
};

/** Connects a device over a plain socket and publishes pre-encoded packets with QoS 1. */
export const createPublisher = (needs: PublisherNeeds): Publisher => {
  const { device, counts, latency, inFlight, past } = needs;
  const packet = publishPacket(device.codes, needs.readingsPerMessage, device.range);
  const socket = connect({ host: needs.host, port: needs.port, noDelay: true });
  const { promise: connected, onConnack } = signIn(socket, device.token);
  const window = createWindow();
  const step = past?.step ?? packet.moments;
  let isEnding = false;
  let ts = (past?.from ?? 0) - 1;
  let turn = 0;
  socket.on("close", () => {
    if (!isEnding) counts.lost++;
  });
  const acknowledge = (packetId: number, now: number): void => {
    const at = window.release(packetId);
    if (at === 0) return;
    counts.acknowledged++;
    latency.add((now - at) * 1000);
  };
  socket.on("data", (chunk: Buffer) => {
    const before = window.open();
    read(chunk);
    if (window.open() < before) needs.onRoom();
  });
  const read = createPacketReader((type, bytes, body) => {
    if (type === PacketType.puback) acknowledge(bytes.readUInt16BE(body), performance.now());
    else if (type === PacketType.connack) onConnack(bytes[body + 1] ?? 0);
  });
  const publish = (most: number): number => {
    const count = Math.min(most, inFlight - window.open());
    if (count <= 0 || socket.writableLength > socketBound || socket.destroyed) return 0;
    const buffer = Buffer.allocUnsafe(count * packet.length);
    const now = performance.now();
    // A device's time strictly increases: two messages never have the same time.
    if (!past) ts = Math.max(ts, Date.now() - packet.moments);
    for (let i = 0; i < count; i++) {
      packet.write(buffer, i * packet.length, window.take(now), ts + 1, turn++);
      ts += step;
    }
    socket.write(buffer);
    counts.sent += count;
    return count;
  };
  return {
    connected,
    publish,
    end: () => {
      isEnding = true;
      socket.end(Buffer.from([0xe0, 0]));
    },
  };
};
