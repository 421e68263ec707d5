import type { Aedes, Client } from "aedes";
import type { KnownDevice, Refusals } from "../../telemetry/index.ts";
import { type Receipt, Received } from "../core/receipt.ts";
import type { Acknowledgements } from "./acknowledgements.ts";
import type { Connections } from "./connections.ts";
import type { DeviceMessage } from "./device-message.ts";
import { explainAcknowledgement } from "./mqtt5/connection.ts";
import { acknowledgementOf, ConnectionEnded, Reason } from "./mqtt5/reasons.ts";

/** Client, packet and acknowledgement, as aedes passes them. */
export type Publication = Parameters<Aedes["authorizePublish"]>;

interface Sent {
  device: KnownDevice;
  client: Client;
  packet: Publication[1];
  acknowledge: Publication[2];
}

interface Needs {
  refusals: Refusals;
  connections: Connections;
  acknowledgements: Acknowledgements;
}

/** A message that a device published; it is acknowledged when it is done. */
export class Published extends Received implements DeviceMessage {
  private readonly client: Client;
  private readonly packet: Publication[1];
  private readonly acknowledge: Publication[2];
  private readonly connections: Connections;
  private readonly acknowledgements: Acknowledgements;

  constructor({ device, client, packet, acknowledge }: Sent, { refusals, connections, acknowledgements }: Needs) {
    const { topic, qos, messageId, dup } = packet;
    const payload = typeof packet.payload === "string" ? Buffer.from(packet.payload) : packet.payload;
    const isNumbered = qos > 0 && messageId !== undefined;
    const delivery = isNumbered ? { packetId: messageId, isRepeated: dup, connection: client } : {};
    super({ device, payload, delivery, topic }, refusals);
    this.client = client;
    this.packet = packet;
    this.acknowledge = acknowledge;
    this.connections = connections;
    this.acknowledgements = acknowledgements;
  }

  override forgetPayload(): void {
    super.forgetPayload();
    // aedes keeps the packet until it is acknowledged.
    this.packet.payload = this.payload;
  }

  reply(topic: string, payload: unknown): void {
    this.connections.sendTo(this.client, topic, payload);
  }

  protected finish(receipt: Receipt): void {
    if (receipt.outcome === "stopped") {
      this.acknowledge(new ConnectionEnded(Reason.serverBusy, "Not stored; send it again"));
      return;
    }
    const acknowledgement = acknowledgementOf(receipt);
    const { packetId } = this.delivery;
    if (acknowledgement && packetId !== undefined) explainAcknowledgement(this.client.conn, packetId, acknowledgement);
    if (packetId === undefined || this.packet.qos !== 1) {
      this.acknowledge(null);
      return;
    }
    this.acknowledgements.send(this.client, packetId, () => {
      // aedes goes on with a message of QoS 0 without a PUBACK.
      this.packet.qos = 0;
      this.acknowledge(null);
    });
  }
}
