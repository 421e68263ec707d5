import { connect, type Socket } from "node:net";
import { connectPacket } from "../../simulator/src/load/connect-packet.ts";
import { createPacketReader, PacketType } from "../../simulator/src/load/packet-reader.ts";
import { publishPacket } from "../../simulator/src/load/publish-packet.ts";

/** A device of one channel over a plain socket: a minimal client, so that ten thousand fit into one process. */
export interface LightDevice {
  readonly isConnected: boolean;
  /** Time of its last acknowledged reading, by `performance.now()`; -Infinity before the first. */
  readonly acknowledgedAt: number;
  /** Connects, and reconnects whenever the connection is lost, until `end`. Resolves on the first connection. */
  start(): Promise<void>;
  /** Sends a current reading; without a connection or an acknowledgement it is sent once there is one. */
  report(): void;
  /** Drops the connection silently, as if a cable were pulled. */
  cut(): void;
  end(): void;
}

/** Counters shared by all devices of a fleet. */
export interface FleetCounts {
  connected: number;
  /** Connections that ended other than by `end` or `cut`. */
  lost: number;
  /** Refusing CONNACKs. */
  refused: number;
  sent: number;
  acknowledged: number;
}

interface Needs {
  port: number;
  token: string;
  counts: FleetCounts;
  /** Reconnect delay, milliseconds. */
  wait: () => number;
}

const packet = publishPacket(["AI1"], 1, { from: 20, to: 40 });
/** Seconds; the server closes a connection that is silent for one and a half of these. */
const keepalive = 120;

const hello = (token: string): Buffer => connectPacket(token, token, keepalive);

/** The unacknowledged newest reading of a device. */
const createReading = (counts: FleetCounts) => {
  const bytes = Buffer.alloc(packet.length);
  let packetId = 0;
  let isOpen = false;
  return {
    take: (): void => {
      packetId = (packetId % 65_535) + 1;
      packet.write(bytes, 0, packetId, Date.now(), packetId);
      isOpen = true;
    },
    send: (socket: Socket): void => {
      if (!isOpen) return;
      counts.sent += 1;
      socket.write(bytes);
    },
    acknowledge: (id: number): boolean => {
      if (!isOpen || id !== packetId) return false;
      isOpen = false;
      counts.acknowledged += 1;
      return true;
    },
  };
};

/** Creates a device that is not connected yet. */
export const createLightDevice = ({ port, token, counts, wait }: Needs): LightDevice => {
  const reading = createReading(counts);
  const { promise: started, resolve: onStarted } = Promise.withResolvers<void>();
  let socket: Socket | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isConnected = false;
  let isWanted = true;
  let acknowledgedAt = Number.NEGATIVE_INFINITY;

  const onConnack = (code: number): void => {
    if (code !== 0) {
      counts.refused += 1;
      return;
    }
    isConnected = true;
    counts.connected += 1;
    onStarted();
    if (socket) reading.send(socket);
  };
  const onClose = (isCut: boolean): void => {
    if (isConnected) counts.connected -= 1;
    if (isConnected && !isCut) counts.lost += 1;
    isConnected = false;
    if (isWanted) timer = setTimeout(open, wait());
  };
  const open = (): void => {
    const own = connect({ host: "127.0.0.1", port, noDelay: true }, () => own.write(hello(token)));
    const read = createPacketReader((type, bytes, body) => {
      if (type === PacketType.connack) onConnack(bytes[body + 1] ?? 0);
      else if (type === PacketType.puback && reading.acknowledge(bytes.readUInt16BE(body)))
        acknowledgedAt = performance.now();
    });
    socket = own;
    own.on("data", read);
    own.on("error", () => undefined);
    own.once("close", () => onClose(socket !== own));
  };
  const drop = (): void => {
    const own = socket;
    socket = undefined;
    own?.resetAndDestroy();
  };
  return {
    get isConnected() {
      return isConnected;
    },
    get acknowledgedAt() {
      return acknowledgedAt;
    },
    start: () => {
      open();
      return started;
    },
    report: () => {
      reading.take();
      if (socket && isConnected) reading.send(socket);
    },
    cut: drop,
    end: () => {
      isWanted = false;
      clearTimeout(timer);
      drop();
    },
  };
};
