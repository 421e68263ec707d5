import { RefusalReason } from "@telltale/contract/device-api";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { KnownDevice, Refusals, Registry } from "../../telemetry/index.ts";
import { requestLimit } from "../mqtt/request-limit.ts";
import { createOpenRequests } from "./open-requests.ts";

/** Timeout for the look-up of a request's device, and for its commit, milliseconds. */
export const requestTimeout = 5_000;

/** Most concurrent posts of one device: their bodies are held in memory. */
const postLimit = 256;

/** An HTTP status and a JSON body. */
export interface Answer {
  status: number;
  body?: object;
}

export const failure = (status: number, message: string): Answer => ({ status, body: { status, message } });
export const busy = failure(503, "Server is busy");

export const send = (reply: FastifyReply, { status, body }: Answer) => reply.code(status).send(body);

/** Resolves with the result of `work`, or with `late` after the timeout (milliseconds), so that a device does not wait for a database that is away. */
export const withTimeout = <T>(work: Promise<T>, late: T, timeout = requestTimeout): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late), timeout);
  });
  return Promise.race([work, tooLate]).finally(() => clearTimeout(timer));
};

/**
 * Authenticates each request of this part of the server by the token in its path, before its body is read, so that nothing of an unauthenticated
 * client is buffered. Limits concurrent requests per device. Returns a function that gives the device of a request.
 */
export const findDevices = (
  app: FastifyInstance,
  { registry, refusals }: { registry: Registry; refusals: Refusals },
): ((request: FastifyRequest) => KnownDevice) => {
  const found = new WeakMap<FastifyRequest, KnownDevice>();
  const [posts, fetches] = [createOpenRequests(postLimit), createOpenRequests(requestLimit)];
  app.addHook("onRequest", async (request, reply) => {
    const { accessToken: token } = request.params as { accessToken?: string };
    if (token === undefined) return;
    const device = await withTimeout<KnownDevice | "late" | undefined>(registry.find({ token }), "late");
    if (device === undefined) return send(reply, failure(401, "Unknown access token"));
    if (device === "late") return send(reply, busy);
    const end = (request.method === "POST" ? posts : fetches).begin(device.deviceId);
    if (!end) {
      refusals.count(device.deviceId, RefusalReason.tooManyRequests, "", "");
      return send(reply, failure(429, "Too many requests at once: wait for an answer before the next"));
    }
    // Released when the answer is sent or the connection closes: an image is streamed from its file until then.
    reply.raw.once("finish", end).once("close", end);
    found.set(request, device);
  });
  return (request) => {
    const device = found.get(request);
    if (!device) throw new Error(`${request.url} was reached without its device`);
    return device;
  };
};
