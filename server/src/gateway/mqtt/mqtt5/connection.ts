import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import mqttPacket, { type IPublishPacket, type Packet } from "mqtt-packet";
import { createPacketChecks } from "../packets/packet-checks.ts";
import { createPacketReader } from "../packets/packet-reader.ts";
import type { Stranger } from "../strangers.ts";
import { type Acknowledgement, ConnectionEnded, Reason, reasonOf } from "./reasons.ts";
import { createSendWindow, type SendWindow } from "./send-window.ts";
import { createTranslation, type Translation } from "./translation.ts";

const version5 = { protocolVersion: 5 } as const;
const version4 = { protocolVersion: 4 } as const;

const generate = (packet: Packet, options: typeof version4 | typeof version5): Buffer =>
  Buffer.from(mqttPacket.generate(packet, options));

/** How long a client may take to read why it is disconnected, milliseconds. */
const farewellTime = 1_000;

const states = new WeakMap<object, { state: State; translation: Translation }>();

/** Says what became of a message in its acknowledgement, which follows; where the client speaks an older version there is nothing to say. */
export const explainAcknowledgement = (connection: object, messageId: number, said: Acknowledgement): void =>
  states.get(connection)?.translation.explain(messageId, said);

/** The reason to give when the broker ends this connection without a fault. */
export const setEndReason = (connection: object, reasonCode: number): void => {
  const known = states.get(connection);
  if (known) known.state.endReason = reasonCode;
};

/** How far a connection is: it may be refused until it is open, and only an open one is sent a DISCONNECT. [MQTT5 3.14] */
interface State {
  phase: "connecting" | "open" | "over";
  /** Its CONNECT is being looked up; what a stranger sends behind it is not read until it is answered. */
  isLookedUp: boolean;
  /** The reason to give when the connection ends without a fault. */
  endReason: number;
}

/** Tells a client why its connection ends, and ends it. */
const sayFarewell = (socket: Socket, state: State, fault: Error | null): void => {
  const reasonCode = fault ? reasonOf(fault) : state.endReason;
  if (state.phase === "open") socket.write(generate({ cmd: "disconnect", reasonCode }, version5));
  else if (state.phase === "connecting" && fault instanceof ConnectionEnded)
    socket.write(generate({ cmd: "connack", sessionPresent: false, reasonCode }, version5));
  state.phase = "over";
  setTimeout(() => socket.destroy(), farewellTime).unref();
  socket.destroySoon();
};

/** Sends packets to a client within its limits; `toBroker` takes what the client would have answered to those it is not sent. */
const createSender = (socket: Socket, window: SendWindow, toBroker: (packet: Packet) => void) => {
  const fits = (packet: Packet): boolean =>
    window.maximumPacketSize() === Number.POSITIVE_INFINITY ||
    generate(packet, version5).length <= window.maximumPacketSize();
  const send = (packet: Packet): void => void socket.write(generate(packet, version5));
  return {
    publish: (packet: IPublishPacket): void => {
      // One that is too large must not be sent; for the broker it is dealt with. [MQTT-3.1.2-24]
      if (fits(packet)) {
        if (window.take(packet)) send(packet);
      } else if (packet.qos > 0) toBroker({ cmd: "puback", messageId: packet.messageId ?? 0 });
    },
    answer: (packet: Packet & { properties?: object }): void => {
      const { properties: _properties, ...plain } = packet;
      send(fits(packet) ? packet : plain);
      // A client that was told an error sends no PUBREL. [MQTT5 4.3.3]
      if (packet.cmd === "pubrec" && (packet.reasonCode ?? 0) >= Reason.unspecified)
        toBroker({ cmd: "pubrel", messageId: packet.messageId ?? 0 });
    },
    /** One that was sent is acknowledged: the next may go. */
    goOn: (): void => {
      for (const next of window.release()) send(next);
    },
  };
};

interface BrokersEnd {
  socket: Socket;
  /** Takes what the broker writes. */
  parse: (chunk: Buffer) => void;
  /** The broker wants to read more. */
  resume: () => void;
  farewell: (fault: Error | null) => void;
}

/** The broker's end of a connection. */
const brokersEnd = ({ socket, parse, resume, farewell }: BrokersEnd): Duplex =>
  new Duplex({
    read: resume,
    write: (chunk: Buffer, _encoding, done) => {
      parse(chunk);
      if (socket.writableNeedDrain) socket.once("drain", done);
      else done();
    },
    final: (done) => void socket.end(done),
    destroy: (fault, done) => {
      if (socket.writable) farewell(fault);
      else socket.destroy();
      done(fault);
    },
  });

interface Listening {
  duplex: Duplex;
  state: State;
  stranger: Stranger;
  /** Takes whole packets. */
  parse: (packets: Buffer) => void;
}

const listenTo = (socket: Socket, { duplex, state, stranger, parse }: Listening): void => {
  const reader = createPacketReader(createPacketChecks(stranger.largestPacket));
  socket.on("data", (chunk: Buffer) => {
    if (duplex.destroyed) return;
    try {
      reader.read(chunk, parse);
      stranger.hold(reader.held());
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
 * A connection of an MQTT 5 client as the broker, which speaks 3.1.1, sees it. What 5 adds (properties, reason codes, a client's limits) is
 * answered, kept or left out here.
 */
export const asVersion4 = (socket: Socket, stranger: Stranger): Duplex => {
  const state: State = { phase: "connecting", isLookedUp: false, endReason: Reason.sessionTakenOver };
  const translation = createTranslation();
  const window = createSendWindow();
  const fromClient = mqttPacket.parser(version5);
  const fromBroker = mqttPacket.parser(version4);
  const resume = (): void => {
    if (!state.isLookedUp) socket.resume();
  };
  const duplex = brokersEnd({
    socket,
    resume,
    parse: (chunk) => fromBroker.parse(chunk),
    farewell: (fault) => sayFarewell(socket, state, fault),
  });
  const toBroker = (packet: Packet): boolean => duplex.push(generate(packet, version4));
  const sender = createSender(socket, window, toBroker);
  // A packet that the other version has no words for (an answer that nobody asked for) makes the translation throw.
  const orEnd = (handle: (packet: Packet) => void) => (packet: Packet) => {
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
    if (packet.cmd === "puback" || packet.cmd === "pubcomp") sender.goOn();
    const translated = translation.toBroker(packet);
    if (packet.cmd === "disconnect") state.phase = "over";
    if (translated === null) duplex.destroy();
    else if (!toBroker(translated)) socket.pause();
  };
  fromBroker.on("packet", orEnd(passToClient));
  fromClient.on("packet", orEnd(passToBroker));
  fromBroker.on("error", (fault: Error) => duplex.destroy(fault));
  fromClient.on("error", (fault: Error) => duplex.destroy(new ConnectionEnded(Reason.malformedPacket, fault.message)));
  listenTo(socket, { duplex, state, stranger, parse: (packets) => fromClient.parse(packets) });
  states.set(duplex, { state, translation });
  return duplex;
};
