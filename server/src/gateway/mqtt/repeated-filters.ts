import type { Client, Subscription } from "aedes";
import mqttPacket, { type ISubackPacket, type Packet } from "mqtt-packet";

interface Asked {
  messageId: number;
  /** All filters with the QoS that is asked for, in their order. */
  subscriptions: readonly { topic: string; qos: number }[];
}

const refused = 0x80;

/** By the first subscription that aedes is left. */
const waiting = new WeakMap<object, Asked>();

/**
 * Leaves aedes each filter of a SUBSCRIBE once, and nothing to answer when one is repeated: its SUBACK would have too few codes, of which a client
 * can't tell whose they are. [MQTT-3.8.4-5]
 */
export const withoutRepeated = (packet: Packet): void => {
  if (packet.cmd !== "subscribe") return;
  const { subscriptions, messageId = 0 } = packet;
  // The last one of a filter is the one that holds.
  const once = [...new Map(subscriptions.map((subscription) => [subscription.topic, subscription])).values()];
  const [first] = once;
  if (!first || once.length === subscriptions.length) return;
  waiting.set(first, { messageId, subscriptions: subscriptions.map(({ topic, qos }) => ({ topic, qos })) });
  packet.subscriptions = once;
  delete packet.messageId;
};

/** Answers a SUBSCRIBE with repeated filters, once aedes has done with it; its subscriptions carry what was granted. */
export const answerRepeated = (subscriptions: readonly Subscription[], client: Client): void => {
  const [first] = subscriptions;
  const asked = first && waiting.get(first);
  if (!asked) return;
  const refusedTopics = new Set(
    subscriptions.filter(({ qos }) => (qos as number) === refused).map(({ topic }) => topic),
  );
  const granted = asked.subscriptions.map(({ topic, qos }) => (refusedTopics.has(topic) ? refused : qos));
  const suback: ISubackPacket = { cmd: "suback", messageId: asked.messageId, granted };
  mqttPacket.writeToStream(suback, client.conn);
};
