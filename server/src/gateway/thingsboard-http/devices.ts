import { RefusalReason } from "@telltale/contract/device-api";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { KnownDevice, Refusals, Registry } from "../../telemetry/index.ts";
import { requestLimit } from "../mqtt/request-limit.ts";
import { createOpenRequests } from "./open-requests.ts";

/** How long a request waits for its device to be found, and for its commit, milliseconds. */
export const patience = 5_000;

/** Posts of one device that are being answered at once: their bodies are in memory. */
const postLimit = 256;

/** What a device is told: an HTTP status and a JSON body. */
export interface Answer {
  status: number;
  body?: object;
}

export const failure = (status: number, message: string): Answer => ({ status, body: { status, message } });
export const busy = failure(503, "Server is busy");

export const send = (reply: FastifyReply, { status, body }: Answer) => reply.code(status).send(body);

/** What is asked, or `late` when it takes longer than a device is kept waiting for a database that is away. */
export const inTime = <T>(work: Promise<T>, late: T): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late), patience);
  });
  return Promise.race([work, tooLate]).finally(() => clearTimeout(timer));
};

/**
 * Finds the device of each request of this part of the server, by the token in its address, before its body is read: of a stranger nothing is kept. One
 * device is answered so many requests at once. Gives the device of a request that has come so far.
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
    const device = await inTime<KnownDevice | "late" | undefined>(registry.find({ token }), "late");
    if (device === undefined) return send(reply, failure(401, "Unknown access token"));
    if (device === "late") return send(reply, busy);
    const end = (request.method === "POST" ? posts : fetches).begin(device.deviceId);
    if (!end) {
      refusals.count(device.deviceId, RefusalReason.tooManyRequests, "", "");
      return send(reply, failure(429, "Too many requests at once: wait for an answer before the next"));
    }
    // When the answer has been sent, or the device has gone: an image is read from its file for so long.
    reply.raw.once("finish", end).once("close", end);
    found.set(request, device);
  });
  return (request) => {
    const device = found.get(request);
    if (!device) throw new Error(`${request.url} was reached without its device`);
    return device;
  };
};
