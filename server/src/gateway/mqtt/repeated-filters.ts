import type { Client, Subscription } from "aedes";
import mqttPacket, { type ISubackPacket, type Packet } from "mqtt-packet";

interface Repetition {
  messageId: number;
  /** All requested filters with their QoS, in order. */
  subscriptions: readonly { topic: string; qos: number }[];
}

const refused = 0x80;

/** Keyed by the first subscription that is passed to aedes. */
const waiting = new WeakMap<object, Repetition>();

/**
 * Passes each filter of a SUBSCRIBE to aedes once, without a message identifier if one is repeated: aedes' SUBACK would have too few codes to match
 * them to the filters. [MQTT-3.8.4-5]
 */
export const withoutRepeated = (packet: Packet): void => {
  if (packet.cmd !== "subscribe") return;
  const { subscriptions, messageId = 0 } = packet;
  // The last subscription of a filter wins.
  const once = [...new Map(subscriptions.map((subscription) => [subscription.topic, subscription])).values()];
  const [first] = once;
  if (!first || once.length === subscriptions.length) return;
  waiting.set(first, { messageId, subscriptions: subscriptions.map(({ topic, qos }) => ({ topic, qos })) });
  packet.subscriptions = once;
  delete packet.messageId;
};

/** Sends the SUBACK for a SUBSCRIBE with repeated filters after aedes has processed it; `subscriptions` carry the granted QoS. */
export const answerRepeated = (subscriptions: readonly Subscription[], client: Client): void => {
  const [first] = subscriptions;
  const requested = first && waiting.get(first);
  if (!requested) return;
  const refusedTopics = new Set(
    subscriptions.filter(({ qos }) => (qos as number) === refused).map(({ topic }) => topic),
  );
  const granted = requested.subscriptions.map(({ topic, qos }) => (refusedTopics.has(topic) ? refused : qos));
  const suback: ISubackPacket = { cmd: "suback", messageId: requested.messageId, granted };
  mqttPacket.writeToStream(suback, client.conn);
};
