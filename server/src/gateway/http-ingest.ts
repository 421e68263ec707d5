import { deviceLimits, RefusalReason } from "@telltale/contract/device-api";
import type { FastifyPluginAsync, FastifyReply } from "fastify";
import type { Refusals } from "../telemetry/refusals.ts";
import type { Registry } from "../telemetry/registry.ts";
import type { Outcome } from "../telemetry/submission.ts";
import type { World } from "../world.ts";
import type { AttributeStore } from "./attributes.ts";
import { serveDown } from "./http-down.ts";
import type { Intake } from "./intake.ts";
import type { FindSharedAttributes } from "./shared-attributes.ts";
import { parseJson } from "./telemetry-payload.ts";

export type DeviceHttp = FastifyPluginAsync;

interface Needs extends Pick<World, "db" | "clock" | "files" | "log"> {
  registry: Registry;
  intake: Intake;
  attributes: AttributeStore;
  sharedAttributes: FindSharedAttributes;
  refusals: Refusals;
}

/** How long a request waits for its commit, milliseconds. */
export const patience = 5_000;

interface DeviceRoute {
  Params: { accessToken: string };
  Body: Buffer | undefined;
}

/** An HTTP status and, unless all is well, what to tell the device. */
type Answer = readonly [status: number, message?: string];

const busy: Answer = [503, "Server is busy"];
const unknown: Answer = [401, "Unknown access token"];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A device is not kept waiting for a database that is away: it is told to come again, and what was taken is still written. */
const inTime = (work: Promise<Answer>): Promise<Answer> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Answer>((resolve) => {
    timer = setTimeout(() => resolve(busy), patience);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};

const telemetryAnswer = async ({ registry, intake }: Needs, accessToken: string, body: Buffer): Promise<Answer> => {
  const device = await registry.find({ token: accessToken });
  if (!device) return unknown;
  const payload = parseJson(body);
  const isTelemetry = isRecord(payload) || Array.isArray(payload);
  const outcome = await new Promise<Outcome>((done) => intake.telemetry(device, body, {}, done));
  if (outcome === "stopped") return busy;
  const isTaken = isTelemetry && outcome === "stored";
  return isTaken ? [200] : [400, 'The body is no telemetry: send JSON such as {"AI1": 4.2}'];
};

const attributesAnswer = async (
  { registry, intake, attributes, refusals }: Needs,
  accessToken: string,
  body: Buffer,
): Promise<Answer> => {
  const device = await registry.find({ token: accessToken });
  if (!device) return unknown;
  await intake.heard(device);
  const payload = parseJson(body);
  if (isRecord(payload)) {
    await attributes.store(device, payload);
    return [200];
  }
  refusals.count(device.deviceId, RefusalReason.badPayload, "", "");
  return [400, "The body is no JSON object"];
};

/** `POST /api/v1/{accessToken}/telemetry|attributes`, and what devices fetch. Answers plain HTTP: 200 after the commit, 400, 401, 413, 503. (decisions §3) */
export const deviceHttp = (needs: Needs): DeviceHttp => {
  const { log, registry, refusals } = needs;
  const answer = (reply: FastifyReply, [status, message]: Answer) =>
    reply.code(status).send(message === undefined ? undefined : { status, message });

  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: deviceLimits.payload }, (_request, body, done) =>
      done(null, body),
    );
    app.setErrorHandler<Error & { statusCode?: number }>(async (fault, request, reply) => {
      const status = fault.statusCode ?? 503;
      if (status === 413) {
        const { accessToken } = request.params as DeviceRoute["Params"];
        const device = await registry.find({ token: accessToken }).catch(() => undefined);
        refusals.count(device?.deviceId ?? null, RefusalReason.tooLarge, "", "");
        return answer(reply, [413, `At most ${deviceLimits.payload} bytes`]);
      }
      if (status < 500) return answer(reply, [status, "Bad request"]);
      log.error({ err: fault }, "A device's request could not be handled");
      return answer(reply, busy);
    });
    const serve = (kind: string, answerOf: typeof telemetryAnswer) =>
      app.post<DeviceRoute>(`/api/v1/:accessToken/${kind}`, async ({ params, body = Buffer.alloc(0) }, reply) =>
        answer(reply, await inTime(answerOf(needs, params.accessToken, body))),
      );
    serve("telemetry", telemetryAnswer);
    serve("attributes", attributesAnswer);
    serveDown(app, needs);
  };
};
