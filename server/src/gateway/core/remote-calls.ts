import type { RpcMethod } from "@telltale/contract/device-api";
import { CallFailed, type CallFault } from "../../platform/device-calls.ts";
import { MessageTooLarge } from "../../platform/node/peers.ts";
import type { KnownDevice, Registry } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import { type Commands, defaultTimeout } from "./pending-calls.ts";
import type { Downlink } from "./transport.ts";

/** Longest wait for the other nodes to say whether they have the device, milliseconds. One that has died may be waited for. */
const findTimeout = 500;
const otherNodes = `
  SELECT count(*)::int AS count FROM nodes WHERE node_id <> $1 AND heard_time > now() - interval '30 seconds'`;
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

/** The result of a call whose question or answer cannot be passed on. */
const asCallFault = (fault: unknown): Result => {
  if (fault instanceof MessageTooLarge) return { fault: "too-large" };
  throw fault;
};

/** Commands to devices that are connected to another node. */
export interface RemoteCalls {
  /** Like `Commands.call`, by the node that the device is connected to. */
  call(device: KnownDevice, method: RpcMethod, params: Record<string, unknown>): Promise<unknown>;
  stop(): void;
}

interface Needs extends Pick<World, "peers" | "node" | "pool"> {
  registry: Registry;
  downlink: Downlink;
  commands: Commands;
}

/** Answers other nodes' calls to this node's devices, and calls devices of other nodes. */
export const createRemoteCalls = ({ peers, node, pool, registry, downlink, commands }: Needs): RemoteCalls => {
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
    peers.answer(connectedSubject, async (deviceId) => ((await connected(deviceId as number)) ? node.id : null)),
    peers.answer(callSubject(node.id), (request) => callHere(request as Request)),
  ];
  /** The node that the device is connected to; undefined when all others say that it is not connected to them. */
  const nodeOf = async (deviceId: number): Promise<string | undefined> => {
    const { rows } = await pool.query<{ count: number }>(otherNodes, [node.id]);
    const limits = { most: rows[0]?.count ?? 0, timeout: findTimeout };
    for await (const answer of peers.askAll(connectedSubject, deviceId, limits))
      if (typeof answer === "string") return answer;
    return undefined;
  };
  return {
    call: async ({ deviceId }, method, params) => {
      const nodeId = node.isOfCluster ? await nodeOf(deviceId) : undefined;
      if (nodeId === undefined) throw new CallFailed("not-connected");
      const request: Request = { deviceId, method, params };
      const result = (await peers.ask(callSubject(nodeId), request, answerTimeout).catch(asCallFault)) as
        | Result
        | undefined;
      if (!result) throw new CallFailed("no-answer");
      if ("fault" in result) throw new CallFailed(result.fault);
      return result.answer;
    },
    stop: () => {
      for (const stop of stops) stop();
    },
  };
};
