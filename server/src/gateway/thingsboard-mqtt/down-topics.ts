import { topics } from "@telltale/contract/device-api";
import { longTopic } from "../mqtt/topic-rules.ts";

/** Filters that a device may subscribe to: only the server's messages to itself. */
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
  // ThingsBoard's clients subscribe to these by default; nothing is sent there unasked.
  "v2/sw/error",
  "v1/gateway/disconnect",
];

/** Firmware chunks: of all requests, or of one. ThingsBoard's SDK subscribes one level higher; that is accepted too. */
const chunksDown = /^v2\/(fw|sw)\/response\/(\+|#|[^/+#]{1,64})(\/chunk\/(\+|[^/+#]{1,64}))?$/;

/** Replaces the request number in a filter by `+`. */
const anyRequest = (filter: string): string => filter.replace(/\/\d{1,10}$/, "/+");

/** Whether the filter covers topics of the ThingsBoard device API that go down, and nothing else. */
export const maySubscribe = (filter: string): boolean =>
  downTopics.includes(anyRequest(longTopic(filter))) || chunksDown.test(filter);
