import { topics } from "@telltale/contract/device-api";

/** What a device may subscribe to: what the server sends it, and nothing of others. Every client gets only what is sent to its own device. */
const downTopics = [
  topics.attributes,
  `${topics.attributesResponse}+`,
  `${topics.rpcRequest}+`,
  topics.gateway.attributes,
  topics.gateway.rpc,
  "v1/gateway/attributes/response",
  topics.firmware.error,
];

/** Sparkplug: commands to the edge node or its devices. Which node that is, is known by the token, not by the topic. */
const sparkplugDown = /^spBv1\.0\/[^/#]+\/(NCMD|DCMD)\/[^/#]+(\/[^/#]+)?(\/#)?$|^spBv1\.0\/STATE\/[^/#]+$/;

/** Chunks of firmware: of all requests, or of one. */
const chunksDown = /^v2\/fw\/response\/(\+|\d{1,10})\/chunk\/(\+|\d{1,10})$/;

export const maySubscribe = (filter: string): boolean =>
  downTopics.includes(filter) || chunksDown.test(filter) || sparkplugDown.test(filter);
