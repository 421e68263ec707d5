import { topics } from "@telltale/contract/device-api";
import { longTopic } from "../mqtt/topic-rules.ts";

/** What a device may subscribe to: what the server sends it, and nothing of others. Every client gets only what is sent to its own device. */
const downTopics = [
  topics.attributes,
  `${topics.attributesResponse}+`,
  `${topics.rpcRequest}+`,
  topics.gateway.attributes,
  topics.gateway.rpc,
  topics.gateway.attributesResponse,
  `${topics.rpcResponse}+`,
  topics.firmware.error,
  topics.provision.response,
  // Where ThingsBoard's clients listen by habit. Nothing comes there unasked.
  "v2/sw/error",
  "v1/gateway/disconnect",
];

/** Chunks of firmware: of all requests, or of one. ThingsBoard's SDK listens one level higher, and is answered all the same. */
const chunksDown = /^v2\/(fw|sw)\/response\/(\+|#|[^/+#]{1,64})(\/chunk\/(\+|[^/+#]{1,64}))?$/;

/** A filter for one request's answer is as good as one for all. */
const anyRequest = (filter: string): string => filter.replace(/\/\d{1,10}$/, "/+");

/** Whether the filter covers topics of the ThingsBoard device API that go down, and nothing else. */
export const maySubscribe = (filter: string): boolean =>
  downTopics.includes(anyRequest(longTopic(filter))) || chunksDown.test(filter);
