import { request } from "node:http";
import type { Socket } from "node:net";
import { createClient } from "@telltale/contract/call/client";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { livePath } from "@telltale/contract/live";
import type { RunningServer } from "../../e2e/server-process.ts";

/** A minimal live socket that passes its messages on, so that a thousand fit beside the measured server. */
export interface Listener {
  readonly isOpen: boolean;
  end(): void;
}

/** Returns path and token of an account's socket. */
export const liveAddress = async ({ baseURL }: RunningServer, email: string, password: string): Promise<string> => {
  const visitor = createClient({ baseUrl: baseURL, token: () => undefined });
  const { token, userId, accounts: own } = await visitor(accounts.login, { email, password });
  return `${baseURL}${livePath(userId, own[0]?.accountId ?? 0)}?token=${token}`;
};

const opcodes = { text: 1, close: 8, ping: 9 } as const;

/** Splits a server's bytes into frames; servers do not mask, and send at most 64 KiB per frame. (RFC 6455 §5.2) */
const createFrameReader = (onFrame: (opcode: number, payload: Buffer) => void) => {
  let kept: Buffer = Buffer.alloc(0);
  return (chunk: Buffer): void => {
    const bytes = kept.length > 0 ? Buffer.concat([kept, chunk]) : chunk;
    let at = 0;
    while (at + 2 <= bytes.length) {
      const short = bytes.readUInt8(at + 1);
      const head = short === 126 ? 4 : 2;
      if (at + head > bytes.length) break;
      const length = short === 126 ? bytes.readUInt16BE(at + 2) : short;
      if (at + head + length > bytes.length) break;
      onFrame(bytes.readUInt8(at) & 0x0f, bytes.subarray(at + head, at + head + length));
      at += head + length;
    }
    kept = Buffer.from(bytes.subarray(at));
  };
};

/** Masked with zeros, which is allowed and leaves the payload unchanged. */
const pong = (payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0x8a, 0x80 | payload.length, 0, 0, 0, 0]), payload]);

const upgrade = (address: string): Promise<{ socket: Socket; head: Buffer }> =>
  new Promise((resolve, reject) => {
    const headers = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    };
    const outgoing = request(address, { headers, agent: false });
    outgoing.once("upgrade", (_answer, socket, head) => resolve({ socket: socket as Socket, head }));
    outgoing.once("response", ({ statusCode }) => reject(new Error(`The live socket was answered ${statusCode}`)));
    outgoing.once("error", reject);
    outgoing.end();
  });

/** Opens a live socket; `onText` receives the bytes of each message. */
export const listen = async (address: string, onText: (message: Buffer) => void): Promise<Listener> => {
  const { socket, head } = await upgrade(address);
  let isOpen = true;
  const read = createFrameReader((opcode, payload) => {
    if (opcode === opcodes.text) onText(payload);
    else if (opcode === opcodes.ping) socket.write(pong(payload));
    else if (opcode === opcodes.close) isOpen = false;
  });
  socket.on("error", () => undefined);
  socket.once("close", () => {
    isOpen = false;
  });
  socket.on("data", read);
  read(head);
  return {
    get isOpen() {
      return isOpen;
    },
    end: () => socket.destroy(),
  };
};
