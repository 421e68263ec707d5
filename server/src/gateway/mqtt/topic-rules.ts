import { topics } from "@telltale/contract/device-api";

/** The device API's topics and their equivalent short forms. */
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

/** The long form of a topic or filter. `v2/t/j` declares a JSON payload, which is the only format here. */
export const longTopic = (topic: string): string => {
  if (!topic.startsWith("v2/")) return topic;
  const plain = topic.replace(/^(v2\/[tar])\/j(?=\/|$)/, "$1");
  const form = shortForms.find(([, short]) => isCovered(short, plain));
  return form ? `${form[0]}${plain.slice(form[1].length)}` : topic;
};

/** The short form of a topic; undefined when it has none. */
export const shortTopic = (topic: string): string | undefined => {
  const form = shortForms.find(([long]) => isCovered(long, topic));
  return form && `${form[1]}${topic.slice(form[0].length)}`;
};
