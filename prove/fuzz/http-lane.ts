import { Agent, request } from "node:http";

/** A request as sent. */
export interface HttpRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: Buffer | undefined;
}

export interface HttpAnswer {
  /** 0 when the connection was closed without an answer. */
  status: number;
  /** Milliseconds until the answer started; the timeout when none came. */
  waited: number;
  type: string;
  body: Buffer;
}

/** Bytes read of an answer at most: exports and manuals are not read to their end. */
const readLimit = 256 * 1024;

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Sends a request; `patience` is the timeout in milliseconds until an answer starts. Never rejects. */
export const ask = (origin: string, { method, path, headers, body }: HttpRequest, patience: number) =>
  new Promise<HttpAnswer>((resolve) => {
    const began = performance.now();
    const { hostname, port } = new URL(origin);
    const waited = () => performance.now() - began;
    const length = body ? { "content-length": String(body.length) } : {};
    const outgoing = request({ agent, hostname, port, method, path, headers: { ...headers, ...length } }, (answer) => {
      const head = { status: answer.statusCode ?? 0, waited: waited(), type: answer.headers["content-type"] ?? "" };
      const chunks: Buffer[] = [];
      let size = 0;
      const end = () => resolve({ ...head, body: Buffer.concat(chunks) });
      answer.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > readLimit) answer.destroy();
      });
      answer.on("error", () => undefined);
      answer.on("close", end);
      clearTimeout(timer);
    });
    const none = () => {
      clearTimeout(timer);
      resolve({ status: 0, waited: waited(), type: "", body: Buffer.alloc(0) });
    };
    const timer = setTimeout(() => outgoing.destroy(), patience);
    outgoing.on("error", none);
    outgoing.end(body);
  });
