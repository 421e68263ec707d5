import type { RpcMethod } from "@telltale/contract/device-api";
import { CallFailed, type CallFault } from "../../platform/device-calls.ts";
import type { KnownDevice, Registry } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import { type Commands, defaultTimeout } from "./pending-calls.ts";
import type { Downlink } from "./transport.ts";

/** Longest wait for the node that has the device, milliseconds. */
const findTimeout = 500;
/** Longer than the other node waits for the device, milliseconds. */
const answerTimeout = defaultTimeout + 2_000;

const connectedSubject = "device.connected";
const callSubject = (nodeId: string): string => `device.call.${nodeId}`;

interface Request {
  deviceId: number;
  method: RpcMethod;
  params: Record<string, unknown>;
}

type Result = { answer: unknown } | { fault: CallFault };

/** Commands to devices that are connected to another node. */
export interface RemoteCalls {
  /** Like `Commands.call`, by the node that the device is connected to. */
  call(device: KnownDevice, method: RpcMethod, params: Record<string, unknown>): Promise<unknown>;
  stop(): void;
}

interface Needs extends Pick<World, "peers" | "node"> {
  registry: Registry;
  downlink: Downlink;
  commands: Commands;
}

/** Answers other nodes' calls to this node's devices, and calls devices of other nodes. */
export const createRemoteCalls = ({ peers, node, registry, downlink, commands }: Needs): RemoteCalls => {
  const connected = async (deviceId: number): Promise<KnownDevice | undefined> => {
    const device = await registry.find({ deviceId });
    return device && downlink.isConnected(device) ? device : undefined;
  };
  const callHere = async ({ deviceId, method, params }: Request): Promise<Result> => {
    const device = await connected(deviceId);
    if (!device) return { fault: "not-connected" };
    try {
      return { answer: await commands.call(device, method, params) };
    } catch (fault) {
      if (fault instanceof CallFailed) return { fault: fault.reason };
      throw fault;
    }
  };
  const stops = [
    peers.answer(connectedSubject, async (deviceId) => ((await connected(deviceId as number)) ? node.id : undefined)),
    peers.answer(callSubject(node.id), (request) => callHere(request as Request)),
  ];
  return {
    call: async ({ deviceId }, method, params) => {
      const nodeId = await peers.ask(connectedSubject, deviceId, findTimeout);
      if (nodeId === undefined) throw new CallFailed("not-connected");
      const request: Request = { deviceId, method, params };
      const result = (await peers.ask(callSubject(nodeId as string), request, answerTimeout)) as Result | undefined;
      if (!result) throw new CallFailed("no-answer");
      if ("fault" in result) throw new CallFailed(result.fault);
      return result.answer;
    },
    stop: () => {
      for (const stop of stops) stop();
    },
  };
};
