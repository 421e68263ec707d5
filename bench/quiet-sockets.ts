import { once } from "node:events";
import { request } from "node:http";
import type { Duplex } from "node:stream";
import type { LiveWatch } from "@telltale/contract/live";

/** The message that names the channels whose values a socket gets. */
export const watch = (channelIds: readonly number[]): string =>
  JSON.stringify({ cmd: "watch", deviceChannelIds: channelIds } satisfies LiveWatch);

const key = Buffer.from("sixteen bytes !!").toString("base64");

/** A socket that names channels and reads what comes without looking at it: the machine is the server's too. */
export const joinQuietly = async (address: URL, text: string): Promise<Duplex> => {
  const headers = {
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": 13,
    "Sec-WebSocket-Key": key,
  };
  const [, stream] = (await once(request(address, { headers }).end(), "upgrade")) as [unknown, Duplex];
  stream.on("error", () => {});
  stream.resume();
  // A client's frame is masked; a mask of zeros leaves the text as it is. (RFC 6455 §5.3)
  const head = Buffer.from([0x81, 0x80 | 126, text.length >> 8, text.length & 255, 0, 0, 0, 0]);
  stream.write(Buffer.concat([head, Buffer.from(text)]));
  return stream;
};
