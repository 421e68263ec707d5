import type { IncomingMessage } from "node:http";
import { nodeHttp, nodeHttps } from "../../platform/node-http.ts";
import { SendingRefused } from "./send-refused.ts";
import { addressesOf, pinnedTo, refusalOfAddress } from "./webhook-address.ts";

/** Timeout of name resolution, connection and answer together, milliseconds; less than the lease of a message. */
const longestWait = 10_000;

/** Schemes of addresses that are called without the operator's setting. */
export const webhookSchemes = ["https:"];

interface Posted {
  url: URL;
  body: string | Buffer;
  headers: Record<string, string>;
}

/**
 * Posts to an address that a user has given, and returns the answer's status. Without `isPrivateAllowed` only by TLS and to public addresses. Redirects
 * are not followed: they would lead past the check of the address.
 */
export const post = async ({ url, body, headers }: Posted, isPrivateAllowed: boolean): Promise<number> => {
  const refused = refusalOfAddress(url, webhookSchemes, isPrivateAllowed);
  if (refused !== undefined) throw new SendingRefused(refused, { isFinal: true });
  const signal = AbortSignal.timeout(longestWait);
  const addresses = await Promise.race([
    addressesOf(url.hostname, isPrivateAllowed),
    new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true })),
  ]);
  const send = url.protocol === "https:" ? nodeHttps.request : nodeHttp.request;
  const request = send(url, { method: "POST", headers, lookup: pinnedTo(addresses), agent: false, signal });
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once("response", resolve).on("error", reject);
      request.end(body);
    });
    return answer.statusCode ?? 0;
  } finally {
    request.destroy();
  }
};
