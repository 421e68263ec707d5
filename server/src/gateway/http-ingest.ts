import { deviceLimits, RefusalReason } from "@telltale/contract/device-api";
import type { FastifyPluginAsync, FastifyReply } from "fastify";
import type { KnownDevice } from "../telemetry/known-device.ts";
import type { Refusals } from "../telemetry/refusals.ts";
import type { Registry } from "../telemetry/registry.ts";
import type { Outcome } from "../telemetry/submission.ts";
import type { World } from "../world.ts";
import type { AttributeStore } from "./attributes.ts";
import type { Intake } from "./intake.ts";
import { parseJson } from "./telemetry-payload.ts";

export type DeviceHttp = FastifyPluginAsync;

interface Needs extends Pick<World, "log"> {
  registry: Registry;
  intake: Intake;
  attributes: AttributeStore;
  refusals: Refusals;
}

/** How long a request waits for its commit, milliseconds. */
const patience = 10_000;

interface DeviceRoute {
  Params: { accessToken: string };
  Body: Buffer;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** `POST /api/v1/{accessToken}/telemetry|attributes`. Answers plain HTTP: 200 after the commit, 400, 401, 413, 503. (decisions §3) */
export const deviceHttp = ({ log, registry, intake, attributes, refusals }: Needs): DeviceHttp => {
  const answer = (reply: FastifyReply, status: number, message: string) => reply.code(status).send({ status, message });
  const deviceOf = async (accessToken: string): Promise<KnownDevice | undefined> => {
    const device = await registry.find({ token: accessToken });
    if (device) await intake.heard(device);
    return device;
  };
  /** A device is not kept waiting for a database that is away: it is told to come again, and what was taken is still written. */
  const storeTelemetry = (device: KnownDevice, body: Buffer): Promise<Outcome> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => resolve("stopped"), patience);
      intake.telemetry(device, body, {}, (outcome) => {
        clearTimeout(timer);
        resolve(outcome);
      });
    });

  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: deviceLimits.payload }, (_request, body, done) =>
      done(null, body),
    );
    app.setErrorHandler<Error & { statusCode?: number }>(async (fault, request, reply) => {
      const status = fault.statusCode ?? 503;
      if (status === 413) {
        const device = await registry
          .find({ token: (request.params as DeviceRoute["Params"]).accessToken })
          .catch(() => undefined);
        refusals.count(device?.deviceId ?? null, RefusalReason.tooLarge, "", "");
        return answer(reply, 413, `At most ${deviceLimits.payload} bytes`);
      }
      if (status < 500) return answer(reply, status, "Bad request");
      log.error({ err: fault }, "A device's request could not be handled");
      return answer(reply, 503, "Server is busy");
    });

    app.post<DeviceRoute>("/api/v1/:accessToken/telemetry", async (request, reply) => {
      const device = await deviceOf(request.params.accessToken);
      if (!device) return answer(reply, 401, "Unknown access token");
      const body = request.body ?? Buffer.alloc(0);
      const isJson = typeof parseJson(body) === "object";
      const outcome = await storeTelemetry(device, body);
      if (outcome === "stopped") return answer(reply, 503, "Server is busy");
      if (!isJson || outcome === "refused")
        return answer(reply, 400, 'The body is no telemetry: send JSON such as {"AI1": 4.2}');
      return reply.code(200).send();
    });

    app.post<DeviceRoute>("/api/v1/:accessToken/attributes", async (request, reply) => {
      const device = await deviceOf(request.params.accessToken);
      if (!device) return answer(reply, 401, "Unknown access token");
      const payload = parseJson(request.body ?? Buffer.alloc(0));
      if (!isRecord(payload)) {
        refusals.count(device.deviceId, RefusalReason.badPayload, "", "");
        return answer(reply, 400, "The body is no JSON object");
      }
      await attributes.store(device, payload);
      return reply.code(200).send();
    });
  };
};
