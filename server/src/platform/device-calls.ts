import type { RpcMethod } from "@telltale/contract/device-api";

/** Why a command to a device got no answer. */
export type CallFault = "not-connected" | "not-listening" | "no-answer" | "too-large";

const messages: Record<CallFault, string> = {
  "not-connected": "The device is not connected",
  "not-listening": "The device is connected but has not subscribed to commands",
  "no-answer": "The device did not answer in time",
  "too-large": "The command, or the device's answer, is too large to be passed on between servers",
};

/** A command got no answer. */
export class CallFailed extends Error {
  readonly reason: CallFault;
  constructor(reason: CallFault) {
    super(messages[reason]);
    this.name = "CallFailed";
    this.reason = reason;
  }
}

/**
 * Calls a method on a device, directly or through its master, and returns its answer. Throws `CallFailed`. Implemented by the gateway and passed to
 * the domains.
 */
export type CallDevice = (deviceId: number, method: RpcMethod, params: Record<string, unknown>) => Promise<unknown>;

/** Used where no gateway runs: no device is connected. */
export const callWithoutGateway: CallDevice = () => Promise.reject(new CallFailed("not-connected"));

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** How a device says that it has not carried out a command. */
interface CallFailure {
  /** It was asked and does not want to: `{"success": false}`. With `{"error": …}` alone it may not know the command. */
  isRefusal: boolean;
  /** Its words, as a text that PostgreSQL takes; "" when it gives none. */
  reason: string;
}

/** The failure in a device's answer, which thingsboard-gateway wraps into `{"result": …}`; undefined when the answer means success. */
export const failureIn = (answer: unknown): CallFailure | undefined => {
  if (!isRecord(answer)) return undefined;
  const { success, error, result } = answer;
  if (success !== false && error === undefined) return failureIn(result);
  const reason = typeof error === "string" ? error.replaceAll("\u0000", "").slice(0, 200).toWellFormed() : "";
  return { isRefusal: success === false, reason };
};

/** Why a device did not carry out a command; undefined when the answer means success. */
export const refusalIn = (answer: unknown): string | undefined => {
  const failure = failureIn(answer);
  return failure && (failure.reason === "" ? "The device refused the command" : failure.reason);
};
