import { topics } from "@telltale/contract/device-api";
import type { MqttClient } from "mqtt";
import type { DeviceWorld } from "./device-world.ts";

/** What a device has received: shared attributes and commands, in order. */
type ReceivedMessages = { topic: string; content: Record<string, unknown> }[];

/** Connects a device that answers each command by `answer`; without it, it only listens. */
export const rpcDevice = async (
  world: Pick<DeviceWorld, "mqtt">,
  { accessToken }: { accessToken: string },
  answer?: (method: string, params: unknown) => unknown,
): Promise<{ client: MqttClient; received: ReceivedMessages }> => {
  const client = await world.mqtt(accessToken);
  const received: ReceivedMessages = [];
  client.on("message", (topic, payload) => {
    const content = JSON.parse(payload.toString()) as Record<string, unknown>;
    received.push({ topic, content });
    if (!topic.startsWith(topics.rpcRequest) || !answer) return;
    const back = JSON.stringify(answer(String(content.method), content.params));
    client.publish(topics.rpcResponse + topic.slice(topics.rpcRequest.length), back, { qos: 1 });
  });
  await client.subscribeAsync([`${topics.rpcRequest}+`, topics.attributes, topics.gateway.attributes], { qos: 1 });
  return { client, received };
};
