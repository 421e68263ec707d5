import type { RpcMethod } from "@telltale/contract/device-api";
import { CallFailed, type CallFault } from "../../platform/device-calls.ts";
import type { KnownDevice } from "../../telemetry/index.ts";
import type { Downlink } from "./transport.ts";

export interface Commands {
  /** Calls a method on a device, directly or through its master, and returns its answer. Throws `CallFailed`. `timeout` in milliseconds. */
  call(device: KnownDevice, method: RpcMethod, params: Record<string, unknown>, timeout?: number): Promise<unknown>;
  /** Takes an answer from this device (or from the master of the called device). */
  answered(from: Pick<KnownDevice, "deviceId">, requestId: number, answer: unknown): void;
  stop(): void;
}

interface Waiting {
  /** The device whose answer is accepted. */
  deviceId: number;
  resolve: (answer: unknown) => void;
  reject: (fault: Error) => void;
  timer: NodeJS.Timeout;
}

/** How long a device may take to answer, milliseconds. */
export const defaultTimeout = 10_000;

/** Creates the table of pending RPC calls to devices. */
export const createCommands = (downlink: Downlink): Commands => {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  /** Why no link took the call. */
  const faultOf = (device: KnownDevice): CallFault =>
    downlink.isConnected(device) ? "not-listening" : "not-connected";
  const settle = (requestId: number): Waiting | undefined => {
    const entry = waiting.get(requestId);
    if (entry) clearTimeout(entry.timer);
    waiting.delete(requestId);
    return entry;
  };
  return {
    call: (device, method, params, timeout = defaultTimeout) =>
      new Promise((resolve, reject) => {
        lastId = (lastId + 1) % 1_000_000_000;
        const requestId = lastId;
        const timer = setTimeout(() => settle(requestId)?.reject(new CallFailed("no-answer")), timeout);
        waiting.set(requestId, { deviceId: device.deviceId, resolve, reject, timer });
        const receiver = downlink.call(device, { id: requestId, method, params });
        const entry = waiting.get(requestId);
        if (receiver === undefined) settle(requestId)?.reject(new CallFailed(faultOf(device)));
        else if (entry) entry.deviceId = receiver;
      }),
    answered: (from, requestId, answer) => {
      if (waiting.get(requestId)?.deviceId === from.deviceId) settle(requestId)?.resolve(answer);
    },
    stop: () => {
      for (const requestId of [...waiting.keys()]) settle(requestId)?.reject(new CallFailed("not-connected"));
    },
  };
};
