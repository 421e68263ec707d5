import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import mqttPacket, { type IPublishPacket, type Packet } from "mqtt-packet";
import { createPacketChecks } from "../packets/packet-checks.ts";
import { createPacketReader } from "../packets/packet-reader.ts";
import type { UnauthenticatedConnection } from "../unauthenticated.ts";
import { type Acknowledgement, ConnectionEnded, Reason, reasonOf } from "./reasons.ts";
import { createSendWindow, type SendWindow } from "./send-window.ts";
import { createTranslation, type Translation } from "./translation.ts";

const version5 = { protocolVersion: 5 } as const;
const version4 = { protocolVersion: 4 } as const;

const generate = (packet: Packet, options: typeof version4 | typeof version5): Buffer =>
  Buffer.from(mqttPacket.generate(packet, options));

/** How long a client may take to read the reason for its disconnection, milliseconds. */
const disconnectGrace = 1_000;

const states = new WeakMap<object, { state: State; translation: Translation }>();

/** Adds reason code and properties to the acknowledgement that follows. No effect for older protocol versions. */
export const explainAcknowledgement = (connection: object, messageId: number, answer: Acknowledgement): void =>
  states.get(connection)?.translation.explain(messageId, answer);

/** Sets the reason code to send when the broker ends this connection without an error. */
export const setEndReason = (connection: object, reasonCode: number): void => {
  const known = states.get(connection);
  if (known) known.state.endReason = reasonCode;
};

/** Phase of a connection: it may be refused until it is open, and only an open one is sent a DISCONNECT. [MQTT5 3.14] */
interface State {
  phase: "connecting" | "open" | "over";
  /** Its CONNECT is being authenticated; until then nothing more is read from the unauthenticated client. */
  isLookedUp: boolean;
  /** Reason code to send when the connection ends without an error. */
  endReason: number;
}

/** Sends the reason (DISCONNECT or CONNACK) and closes the connection. */
const sendDisconnect = (socket: Socket, state: State, fault: Error | null): void => {
  const reasonCode = fault ? reasonOf(fault) : state.endReason;
  if (state.phase === "open") socket.write(generate({ cmd: "disconnect", reasonCode }, version5));
  else if (state.phase === "connecting" && fault instanceof ConnectionEnded)
    socket.write(generate({ cmd: "connack", sessionPresent: false, reasonCode }, version5));
  state.phase = "over";
  setTimeout(() => socket.destroy(), disconnectGrace).unref();
  socket.destroySoon();
};

/** Sends packets to a client within its limits. `toBroker` gets the acknowledgements for packets that are not sent. */
const createSender = (socket: Socket, window: SendWindow, toBroker: (packet: Packet) => void) => {
  const fits = (packet: Packet): boolean =>
    window.maximumPacketSize() === Number.POSITIVE_INFINITY ||
    generate(packet, version5).length <= window.maximumPacketSize();
  const send = (packet: Packet): void => void socket.write(generate(packet, version5));
  return {
    publish: (packet: IPublishPacket): void => {
      // A packet above the client's maximum must not be sent; the broker counts it as acknowledged. [MQTT-3.1.2-24]
      if (fits(packet)) {
        if (window.take(packet)) send(packet);
      } else if (packet.qos > 0) toBroker({ cmd: "puback", messageId: packet.messageId ?? 0 });
    },
    answer: (packet: Packet & { properties?: object }): void => {
      const { properties: _properties, ...plain } = packet;
      send(fits(packet) ? packet : plain);
      // A client that got an error in PUBREC sends no PUBREL. [MQTT5 4.3.3]
      if (packet.cmd === "pubrec" && (packet.reasonCode ?? 0) >= Reason.unspecified)
        toBroker({ cmd: "pubrel", messageId: packet.messageId ?? 0 });
    },
    /** A sent message was acknowledged: sends the next queued one. */
    sendNext: (): void => {
      for (const next of window.release()) send(next);
    },
  };
};

interface BrokerSide {
  socket: Socket;
  /** Parses what the broker writes. */
  parse: (chunk: Buffer) => void;
  /** Called when the broker wants to read more. */
  resume: () => void;
  disconnect: (fault: Error | null) => void;
}

/** Creates the stream that the broker reads from and writes to. */
const brokerSide = ({ socket, parse, resume, disconnect }: BrokerSide): Duplex =>
  new Duplex({
    read: resume,
    write: (chunk: Buffer, _encoding, done) => {
      parse(chunk);
      if (socket.writableNeedDrain) socket.once("drain", done);
      else done();
    },
    final: (done) => void socket.end(done),
    destroy: (fault, done) => {
      if (socket.writable) disconnect(fault);
      else socket.destroy();
      done(fault);
    },
  });

interface Listening {
  duplex: Duplex;
  state: State;
  unauthenticated: UnauthenticatedConnection;
  /** Parses whole packets. */
  parse: (packets: Buffer) => void;
}

const listenTo = (socket: Socket, { duplex, state, unauthenticated, parse }: Listening): void => {
  const reader = createPacketReader(createPacketChecks(unauthenticated.largestPacket));
  socket.on("data", (chunk: Buffer) => {
    if (duplex.destroyed) return;
    try {
      reader.read(chunk, parse);
      unauthenticated.hold(reader.held());
    } catch (fault) {
      duplex.destroy(fault as Error);
    }
  });
  socket.on("end", () => {
    state.phase = "over";
    duplex.push(null);
  });
  socket.on("error", (fault) => duplex.destroy(fault));
  socket.on("close", () => duplex.destroy());
};

/**
 * Wraps the connection of an MQTT 5 client for the broker, which speaks 3.1.1. What version 5 adds (properties, reason codes, a client's limits) is
 * answered, remembered or dropped here.
 */
export const adaptMqtt5 = (socket: Socket, unauthenticated: UnauthenticatedConnection): Duplex => {
  const state: State = { phase: "connecting", isLookedUp: false, endReason: Reason.sessionTakenOver };
  const translation = createTranslation();
  const window = createSendWindow();
  const fromClient = mqttPacket.parser(version5);
  const fromBroker = mqttPacket.parser(version4);
  const resume = (): void => {
    if (!state.isLookedUp) socket.resume();
  };
  const duplex = brokerSide({
    socket,
    resume,
    parse: (chunk) => fromBroker.parse(chunk),
    disconnect: (fault) => sendDisconnect(socket, state, fault),
  });
  const toBroker = (packet: Packet): boolean => duplex.push(generate(packet, version4));
  const sender = createSender(socket, window, toBroker);
  // The translation throws on a packet that the other version cannot express, such as an unsolicited answer.
  const destroyOnError = (handle: (packet: Packet) => void) => (packet: Packet) => {
    try {
      handle(packet);
    } catch (fault) {
      duplex.destroy(fault as Error);
    }
  };
  const passToClient = (packet: Packet): void => {
    const translated = translation.toClient(packet);
    if (translated?.cmd === "connack") {
      state.phase = translated.reasonCode === Reason.success ? "open" : "over";
      state.isLookedUp = false;
      socket.resume();
    }
    if (translated?.cmd === "publish") sender.publish(translated);
    else if (translated) sender.answer(translated);
  };
  const passToBroker = (packet: Packet): void => {
    if (packet.cmd === "connect") {
      window.open(packet);
      state.isLookedUp = true;
      socket.pause();
    }
    if (packet.cmd === "puback" || packet.cmd === "pubcomp") sender.sendNext();
    const translated = translation.toBroker(packet);
    if (packet.cmd === "disconnect") state.phase = "over";
    if (translated === null) duplex.destroy();
    else if (!toBroker(translated)) socket.pause();
  };
  fromBroker.on("packet", destroyOnError(passToClient));
  fromClient.on("packet", destroyOnError(passToBroker));
  fromBroker.on("error", (fault: Error) => duplex.destroy(fault));
  fromClient.on("error", (fault: Error) => duplex.destroy(new ConnectionEnded(Reason.malformedPacket, fault.message)));
  listenTo(socket, { duplex, state, unauthenticated, parse: (packets) => fromClient.parse(packets) });
  states.set(duplex, { state, translation });
  return duplex;
};
