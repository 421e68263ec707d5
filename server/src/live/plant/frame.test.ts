import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { textFrame } from "./frame.ts";

/** The suffix of RFC 6455 by which a server says that it has understood the handshake. */
const suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

test.each([125, 126, 65_535, 65_536, 200_000])("a message of %i bytes arrives whole", async (length) => {
  const text = "x".repeat(length);
  const server = createServer().on("upgrade", (request, socket) => {
    const accept = createHash("sha1").update(`${request.headers["sec-websocket-key"]}${suffix}`).digest("base64");
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    socket.write(textFrame(text));
    socket.on("error", () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [event] = (await once(socket, "message")) as [MessageEvent<string>];
  expect(event.data === text).toBe(true);
  socket.close();
  server.close();
});
