import { codeOf, fieldOf } from "../platform/fault.ts";

/** What a CONNACK, PUBACK or DISCONNECT says, in words that say what to do. Below 128: the return codes of MQTT 3.1.1; the others: reason codes of MQTT 5. */
const reasons: Record<number, string> = {
  1: "The broker speaks neither MQTT 5 nor 3.1.1",
  2: "The broker refuses the client ID: enter another one",
  3: "The broker does not serve at the moment: its log says why",
  4: "The broker refuses the user or password: enter them again",
  5: "The broker does not admit this user: allow it there, or enter another user and password",
  132: "The broker speaks neither MQTT 5 nor 3.1.1",
  133: "The broker refuses the client ID: enter another one",
  134: "The broker refuses the user or password: enter them again",
  135: "The broker does not allow this user to publish here: allow it there, or enter another user or prefix",
  136: "The broker does not serve at the moment: its log says why",
  137: "The broker is overloaded",
  138: "The broker has banned this client: its operator can readmit it",
  139: "The broker is shutting down",
  142: "Another client has connected with the same client ID: give each its own",
  144: "The broker refuses the topic: choose another prefix",
  147: "The broker takes fewer messages at once than it says: raise its receive maximum",
  149: "The broker refuses the size of the message: raise its limit",
  151: "The broker's quota is used up: raise it",
  155: "The broker does not take messages with QoS 1: allow them there",
};

const certificate = "enter the certificate of the authority that signed it as CA";
/** By the code of an error of the operating system, Node or OpenSSL. */
const codes: Record<string, string> = {
  ECONNREFUSED: "Nothing listens at the address: check host and port, and that the broker runs",
  ECONNRESET: "The broker ended the connection: check the port, and whether it expects TLS",
  EHOSTUNREACH: "The host cannot be reached: check the address and the network",
  ENETUNREACH: "The host cannot be reached: check the address and the network",
  ENOTFOUND: "The name of the host is unknown: check the address",
  ENODATA: "The name of the host is unknown: check the address",
  EAI_AGAIN: "The name of the host cannot be looked up: check this server's name servers",
  ETIMEDOUT: "The broker does not answer: check host and port, and that no firewall is in between",
  EPROTO: "The broker does not speak TLS at this port: check the port, or begin the address without the s",
  CERT_HAS_EXPIRED: "The broker's certificate has expired: renew it there",
  DEPTH_ZERO_SELF_SIGNED_CERT: `The broker's certificate is self-signed: enter it as CA`,
  SELF_SIGNED_CERT_IN_CHAIN: `The broker's certificate is of an unknown authority: ${certificate}`,
  UNABLE_TO_GET_ISSUER_CERT: `The broker's certificate is of an unknown authority: ${certificate}`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `The broker's certificate is of an unknown authority: ${certificate}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `The broker's certificate is of an unknown authority: ${certificate}`,
  ERR_TLS_CERT_ALTNAME_INVALID: "The broker's certificate is for another host: enter the host that it names",
};

/** The return or reason code of a fault; undefined for other faults. */
const reasonOf = (fault: unknown): number | undefined => {
  const code = fieldOf(fault, "code");
  return typeof code === "number" ? code : undefined;
};

/** A fault of the connection to a broker, in words that say what to do. */
export const brokerFault = (fault: unknown): string => {
  const reason = reasonOf(fault);
  if (reason !== undefined) return reasons[reason] ?? `The broker refuses with reason ${reason}: its log says why`;
  const known = codes[codeOf(fault) ?? ""];
  if (known) return known;
  const message = fault instanceof Error ? fault.message : String(fault);
  if (/connack timeout/i.test(message)) return codes.ETIMEDOUT ?? message;
  const status = /Unexpected server response: (\d+)/.exec(message)?.[1];
  if (status) return `The address answers ${status} instead of MQTT over WebSockets: check its path`;
  return codeOf(fault) ?? message;
};

/** The broker can't speak the version of MQTT, or ends the connection at the sight of it. */
export const isOfVersion = (fault: unknown): boolean => [1, 130, 132].includes(reasonOf(fault) ?? 0);

/** Whether the broker refuses this one message, however often it is sent: its topic, its size or its format. */
export const isOfMessage = (fault: unknown): boolean => [144, 149, 153].includes(reasonOf(fault) ?? 0);
