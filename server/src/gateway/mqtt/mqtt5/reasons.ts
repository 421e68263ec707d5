import { RefusalReason } from "@telltale/contract/device-api";
import { isRefusedWhole, type Receipt, receiptText } from "../../core/receipt.ts";

/** MQTT 5 reason codes. [MQTT5 2.4] */
export const Reason = {
  success: 0x00,
  disconnectWithWill: 0x04,
  unspecified: 0x80,
  malformedPacket: 0x81,
  protocolError: 0x82,
  unsupportedProtocolVersion: 0x84,
  clientIdentifierNotValid: 0x85,
  notAuthorized: 0x87,
  serverBusy: 0x89,
  serverShuttingDown: 0x8b,
  badAuthenticationMethod: 0x8c,
  keepAliveTimeout: 0x8d,
  sessionTakenOver: 0x8e,
  topicNameInvalid: 0x90,
  receiveMaximumExceeded: 0x93,
  topicAliasInvalid: 0x94,
  packetTooLarge: 0x95,
  quotaExceeded: 0x97,
  administrativeAction: 0x98,
  payloadFormatInvalid: 0x99,
  retainNotSupported: 0x9a,
  sharedSubscriptionsNotSupported: 0x9e,
  subscriptionIdentifiersNotSupported: 0xa1,
} as const;

/** MQTT 3.1.1 CONNACK return codes. [MQTT-3.2.2-4] */
export const ConnackCode = {
  unacceptableProtocolVersion: 1,
  identifierRejected: 2,
  serverUnavailable: 3,
  badUserNameOrPassword: 4,
} as const;

/** Ends a connection with a reason code, which MQTT 5 clients receive. */
export class ConnectionEnded extends Error {
  readonly reasonCode: number;
  constructor(reasonCode: number, message: string) {
    super(message);
    this.name = "ConnectionEnded";
    this.reasonCode = reasonCode;
  }
}

/** Ends a connection whose packet announces a size above the limit. */
export class PacketTooLarge extends ConnectionEnded {
  constructor() {
    super(Reason.packetTooLarge, "Packet too large");
    this.name = "PacketTooLarge";
  }
}

/** The reason code to send for the error that ends a connection. */
export const reasonOf = (fault: Error): number => {
  if (fault instanceof ConnectionEnded) return fault.reasonCode;
  if (fault.message.startsWith("maxInflightInbound exceeded")) return Reason.receiveMaximumExceeded;
  return fault.message === "keep alive timeout" ? Reason.keepAliveTimeout : Reason.protocolError;
};

/** Reason code and properties of a PUBACK or PUBREC. */
export interface Acknowledgement {
  reasonCode: number;
  properties?: { reasonString: string; userProperties: Record<string, string> };
}

/**
 * Reason codes for messages that are refused as a whole. The other refusals are acknowledged as success and explained in the properties: no other
 * code fits, and widespread clients take 0x83 and 0x97 for a rate limit and hold back everything else.
 */
const codes: Partial<Record<RefusalReason, number>> = {
  [RefusalReason.badPayload]: Reason.payloadFormatInvalid,
  [RefusalReason.tooLarge]: Reason.quotaExceeded,
  [RefusalReason.tooManyRequests]: Reason.quotaExceeded,
  [RefusalReason.unknownTopic]: Reason.topicNameInvalid,
  [RefusalReason.notSupported]: Reason.topicNameInvalid,
};

/** Reason code and properties for a message's acknowledgement; undefined when nothing was refused. */
export const acknowledgementOf = (receipt: Receipt): Acknowledgement | undefined => {
  const { stored, refused, reason } = receipt;
  const reasonString = receiptText(receipt);
  if (reasonString === undefined || reason === undefined) return undefined;
  return {
    reasonCode: isRefusedWhole(receipt) ? (codes[reason] ?? Reason.success) : Reason.success,
    properties: { reasonString, userProperties: { stored: String(stored), refused: String(refused) } },
  };
};
