import { topics } from "@telltale/contract/device-api";
import type { MqttClient } from "mqtt";
import type { RunningServer } from "./server-process.ts";
import { connectUnit, type Unit } from "./unit.ts";

/** A command as a unit receives it. */
interface Command {
  method: string;
  params: Record<string, unknown>;
}

/** A connected unit that executes its commands. */
interface RpcUnit {
  client: MqttClient;
  /** Received commands, in order. */
  commands: Command[];
  /** Received shared attributes, in order. */
  attributes: Record<string, unknown>[];
}

/** Connects as a unit over MQTT and answers each command with `answer`. */
export const connectRpcUnit = async (
  server: RunningServer,
  unit: Pick<Unit, "accessToken">,
  answer: (command: Command) => unknown = () => ({ success: true }),
): Promise<RpcUnit> => {
  const client = await connectUnit(server, unit);
  const [commands, attributes]: [Command[], Record<string, unknown>[]] = [[], []];
  client.on("message", (topic, payload) => {
    const content = JSON.parse(payload.toString());
    if (topic === topics.attributes) attributes.push(content);
    if (!topic.startsWith(topics.rpcRequest)) return;
    commands.push(content);
    const back = JSON.stringify(answer(content));
    client.publish(topics.rpcResponse + topic.slice(topics.rpcRequest.length), back, { qos: 1 });
  });
  await client.subscribeAsync([`${topics.rpcRequest}+`, topics.attributes], { qos: 1 });
  return { client, commands, attributes };
};
