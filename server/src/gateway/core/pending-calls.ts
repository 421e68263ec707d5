import { type RpcMethod, topics } from "@telltale/contract/device-api";
import { CallFailed, type CallFault } from "../../platform/device-calls.ts";
import type { KnownDevice, Registry } from "../../telemetry/index.ts";
import type { Connections } from "../mqtt/connections.ts";
import type { Polls } from "../thingsboard-http/polls.ts";

export interface Commands {
  /** Calls a method on a device, directly or through its master, and gives its answer. Throws `CallFailed`. `timeout` in milliseconds. */
  call(device: KnownDevice, method: RpcMethod, params: Record<string, unknown>, timeout?: number): Promise<unknown>;
  /** An answer came up from this device (or from the master of the device that was called). */
  answered(from: KnownDevice, requestId: number, answer: unknown): void;
  stop(): void;
}

interface Waiting {
  /** Who may answer. */
  deviceId: number;
  resolve: (answer: unknown) => void;
  reject: (fault: Error) => void;
  timer: NodeJS.Timeout;
}

const defaultTimeout = 10_000;

/** Commands down to devices: ThingsBoard RPC on the device's own connection, to its waiting HTTP request, or on its master's gateway topic. */
export const createCommands = ({
  registry,
  connections,
  polls,
}: {
  registry: Registry;
  connections: Connections;
  polls: Polls;
}): Commands => {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  const send = (
    device: KnownDevice,
    requestId: number,
    request: { method: RpcMethod; params: Record<string, unknown> },
  ): number | undefined => {
    if (connections.send(device.deviceId, `${topics.rpcRequest}${requestId}`, request) > 0) return device.deviceId;
    if (polls.offer(device.deviceId, "rpc", { id: requestId, ...request })) return device.deviceId;
    const master = device.parentDeviceId === null ? undefined : registry.inMemory({ deviceId: device.parentDeviceId });
    if (!master) return undefined;
    const sent = connections.send(master.deviceId, topics.gateway.rpc, {
      device: device.deviceSnId,
      data: { id: requestId, ...request },
    });
    return sent > 0 ? master.deviceId : undefined;
  };
  /** Why nobody took a command: there is no connection, or nobody on it listens for commands. */
  const faultOf = (device: KnownDevice): CallFault => {
    const isReachable =
      connections.has(device.deviceId) || (device.parentDeviceId !== null && connections.has(device.parentDeviceId));
    return isReachable ? "not-listening" : "not-connected";
  };
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
        const receiver = send(device, requestId, { method, params });
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
