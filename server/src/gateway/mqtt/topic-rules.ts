import { topics } from "@telltale/contract/device-api";

/** The device API's topics and their short forms, which mean the same. */
const shortForms = [
  [topics.telemetry, "v2/t"],
  [topics.attributesRequest, "v2/a/req/"],
  [topics.attributesResponse, "v2/a/res/"],
  [topics.attributes, "v2/a"],
  [topics.rpcRequest, "v2/r/req/"],
  [topics.rpcResponse, "v2/r/res/"],
] as const;

const isCovered = (name: string, topic: string): boolean =>
  name.endsWith("/") ? topic.startsWith(name) : topic === name;

/** The long form of a topic or filter. `v2/t/j` says that the payload is JSON, which it always is here. */
export const longTopic = (topic: string): string => {
  if (!topic.startsWith("v2/")) return topic;
  const plain = topic.replace(/^(v2\/[tar])\/j(?=\/|$)/, "$1");
  const form = shortForms.find(([, short]) => isCovered(short, plain));
  return form ? `${form[0]}${plain.slice(form[1].length)}` : topic;
};

/** The short form of a topic; undefined for one that has none. */
export const shortTopic = (topic: string): string | undefined => {
  const form = shortForms.find(([long]) => isCovered(long, topic));
  return form && `${form[1]}${topic.slice(form[0].length)}`;
};

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

/** Sparkplug: commands to the edge node or its devices. Which node that is, is known by the token, not by the topic. */
const sparkplugDown = /^spBv1\.0\/[^/#]+\/(NCMD|DCMD)\/[^/#]+(\/[^/#]+)?(\/#)?$|^spBv1\.0\/STATE\/[^/#]+$/;

/** Chunks of firmware: of all requests, or of one. ThingsBoard's SDK listens one level higher, and is answered all the same. */
const chunksDown = /^v2\/(fw|sw)\/response\/(\+|#|[^/+#]{1,64})(\/chunk\/(\+|[^/+#]{1,64}))?$/;

/** A filter for one request's answer is as good as one for all. */
const anyRequest = (filter: string): string => filter.replace(/\/\d{1,10}$/, "/+");

/** Characters of a filter: those of Sparkplug are the longest, with the names of a group, a node and a device. */
const longestFilter = 256;

export const maySubscribe = (filter: string): boolean =>
  filter.length <= longestFilter &&
  (downTopics.includes(anyRequest(longTopic(filter))) || chunksDown.test(filter) || sparkplugDown.test(filter));
