import { deviceLimits, provisionPath, RefusalReason } from "@telltale/contract/device-api";
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { KnownDevice } from "../../telemetry/index.ts";
import {
  createIncoming,
  type Incoming,
  isRefusedWhole,
  type Receipt,
  type Refusing,
  receiptText,
} from "../core/receipt.ts";
import { isRecord, parseJson } from "../core/telemetry-payload.ts";
import { answerToCall } from "../thingsboard-mqtt/device-topics.ts";
import { type Answer, busy, failure, findDevices, send, withTimeout } from "./devices.ts";
import { type DeviceHttpNeeds, serveDown } from "./down.ts";

export type DeviceHttp = FastifyPluginAsync;

interface DeviceRoute {
  Params: { requestId?: string };
  Body: Buffer | undefined;
}

const notOfDevices = failure(404, "Not part of the device API");

/** The HTTP answer to a receipt: 200 with the counts after the commit; 400 when nothing was stored because of the body's content. */
const answerOf = (receipt: Receipt): Answer => {
  if (receipt.outcome === "stopped") return busy;
  const { stored, refused } = receipt;
  const message = receiptText(receipt);
  const counts = { stored, refused, ...(message === undefined ? {} : { message }) };
  return isRefusedWhole(receipt) ? { status: 400, body: { status: 400, ...counts } } : { status: 200, body: counts };
};

/** Handles a body like an MQTT message and resolves with the answer. */
const receive = (
  { refusals }: DeviceHttpNeeds,
  device: KnownDevice,
  payload: Buffer,
  handle: (incoming: Incoming) => void,
): Promise<Answer> => {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  handle(
    createIncoming(refusals, { device, payload, delivery: {}, topic: "" }, (receipt) => resolve(answerOf(receipt))),
  );
  return promise;
};

/** Refuses a call that this server does not support. */
const refuseCall =
  (status: number, message: string) =>
  (incoming: Incoming): Answer => {
    incoming.refuse(RefusalReason.notSupported);
    return failure(status, message);
  };
const refuseClaim = refuseCall(
  501,
  "Devices are added in the console by their device ID, not claimed through the device API",
);

/** Post handlers by the last part of the path. */
const posts = (needs: DeviceHttpNeeds) => {
  const { intake, attributes, commands, refusals } = needs;
  const record = (incoming: Incoming): Record<string, unknown> | undefined => {
    const value = parseJson(incoming.payload);
    if (isRecord(value)) return value;
    incoming.refuse(RefusalReason.badPayload, "", incoming.payload.subarray(0, 64).toString());
    incoming.done("stored");
    return undefined;
  };
  const storeAttributes = async (incoming: Incoming): Promise<void> => {
    await intake.heard(incoming.device);
    const payload = record(incoming);
    if (payload) incoming.done("stored", await attributes.store(incoming.device, payload, incoming));
  };
  type Post = (device: KnownDevice, body: Buffer, requestId: string) => Promise<Answer>;
  const telemetry: Post = (device, body) => receive(needs, device, body, intake.telemetry);
  return {
    telemetry,
    attributes: (device, body) =>
      new Promise((resolve, reject) => {
        void receive(needs, device, body, (incoming) => storeAttributes(incoming).catch(reject)).then(resolve);
      }),
    claim: async (device, payload) =>
      refuseClaim(createIncoming(refusals, { device, payload, delivery: {}, topic: "" }, () => {})),
    rpc: async (device, body) => {
      const call = parseJson(body);
      const refuse: Refusing["refuse"] = (reason, key = "", value = "") =>
        refusals.count(device.deviceId, reason, key, value);
      const answer = answerToCall(isRecord(call) ? call.method : undefined, { refuse });
      return { status: "error" in answer ? 400 : 200, body: answer };
    },
    "rpc/:requestId": async (device, body, requestId) => {
      commands.answered(device, Number(requestId), parseJson(body));
      return { status: 200 };
    },
  } satisfies Record<string, Post>;
};

/** Largest body of a request without a token, bytes. */
const guestBody = 4_096;

/** Longest wait for a registration, milliseconds: those of a fleet that is switched on at once are done one after the other. */
const registrationTimeout = 30_000;

const serveUp = (app: FastifyInstance, needs: DeviceHttpNeeds, deviceOf: (request: FastifyRequest) => KnownDevice) => {
  for (const [path, answerTo] of Object.entries(posts(needs)))
    app.post<DeviceRoute>(`/api/v1/:accessToken/${path}`, async (request, reply) => {
      const { params, body = Buffer.alloc(0) } = request;
      // Answers 'busy' on timeout when the database is away; submitted values are still written.
      return send(reply, await withTimeout(answerTo(deviceOf(request), body, params.requestId ?? ""), busy));
    });
  app.post<DeviceRoute>(provisionPath, { bodyLimit: guestBody }, async ({ body, ip }, reply) => {
    const answer = needs.registration.answer(parseJson(body ?? Buffer.alloc(0)), ip);
    return send(
      reply,
      await withTimeout<Answer>(
        answer.then((body) => ({ status: 200, body })),
        busy,
        registrationTimeout,
      ),
    );
  });
};

/**
 * The device API over HTTP: `POST /api/v1/{accessToken}/telemetry|attributes|rpc`, and what devices fetch. Answers 200 after the commit with the counts of
 * stored and refused values, 400, 401, 413, 503. (decisions §3)
 */
export const deviceHttp = (needs: DeviceHttpNeeds): DeviceHttp => {
  const { log, refusals, polls } = needs;
  return async (app) => {
    const deviceOf = findDevices(app, needs);
    // Bodies are JSON whatever units write there; it may be the name of no type at all, which Fastify would refuse.
    app.addHook("onRequest", async ({ headers }) => {
      headers["content-type"] = undefined;
    });
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: deviceLimits.payload }, (_request, body, done) =>
      done(null, body),
    );
    // A shutdown does not wait for pending long polls.
    app.addHook("preClose", async () => polls.stop());
    app.setErrorHandler<Error & { statusCode?: number }>(async (fault, request, reply) => {
      const status = fault.statusCode ?? 503;
      if (status === 413) {
        const isGuest = (request.params as { accessToken?: string }).accessToken === undefined;
        refusals.count(isGuest ? null : deviceOf(request).deviceId, RefusalReason.tooLarge, "", "");
        return send(reply, failure(413, `At most ${isGuest ? guestBody : deviceLimits.payload} bytes`));
      }
      if (status < 500) return send(reply, failure(status, "Bad request"));
      log.error(
        { err: fault },
        "Could not handle a device's HTTP request; answered 503, so that the device sends it again",
      );
      return send(reply, busy);
    });
    serveUp(app, needs, deviceOf);
    serveDown(app, needs, deviceOf);
    // The console's calls answer 404 in their envelope with HTTP status 200, which a device would take for a success. The body is not read.
    const onRequest = async (_request: FastifyRequest, reply: FastifyReply) => send(reply, notOfDevices);
    for (const path of ["/api/v1", "/api/v1/*", "/api/v2", "/api/v2/*"])
      app.all(path, { onRequest }, (_request, reply) => send(reply, notOfDevices));
  };
};
