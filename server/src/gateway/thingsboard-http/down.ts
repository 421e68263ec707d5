import { RefusalReason } from "@telltale/contract/device-api";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { readChunk, readImage } from "../../modules/firmware/index.ts";
import type { Registration } from "../../modules/provisioning/index.ts";
import type { KnownDevice, Refusals, Registry } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import type { FindAttributes } from "../core/attribute-requests.ts";
import type { AttributeStore } from "../core/attributes.ts";
import type { Intake } from "../core/intake.ts";
import type { Commands } from "../core/pending-calls.ts";
import type { PolledKind, Polls } from "./polls.ts";

export interface DeviceHttpNeeds extends Pick<World, "db" | "bus" | "clock" | "files" | "log"> {
  registry: Registry;
  intake: Intake;
  attributes: AttributeStore;
  findAttributes: FindAttributes;
  commands: Commands;
  polls: Polls;
  refusals: Refusals;
  registration: Registration;
}

type Query = Partial<Record<string, string | string[]>>;

interface DownRoute {
  Querystring: Query;
}

/** Default and longest timeout of a long poll, milliseconds. */
const pollTime = { usual: 20_000, longest: 60_000 } as const;

const textIn = (query: Query, name: string): string | undefined => {
  const value = query[name];
  return typeof value === "string" && value !== "" ? value : undefined;
};

const numberIn = (query: Query, name: string): number | undefined => {
  const text = textIn(query, name);
  return text === undefined ? undefined : Number(text);
};

const pollTimeIn = (query: Query): number => {
  const requested = numberIn(query, "timeout");
  return requested !== undefined && requested > 0 ? Math.min(requested, pollTime.longest) : pollTime.usual;
};

const refuse = (reply: FastifyReply, status: number, message: string) => reply.code(status).send({ status, message });

/**
 * Serves what devices fetch by HTTP: `GET /api/v1/{accessToken}/attributes?clientKeys=&sharedKeys=`; `…/attributes/updates?timeout=` and
 * `…/rpc?timeout=`, long polls (milliseconds) for changed settings or a command that answer 408 on timeout; and
 * `…/firmware?title=&version=&size=&chunk=`, which answers the bytes of a chunk: without `chunk` the first, and with `size=0` the whole image.
 */
export const serveDown = (
  app: FastifyInstance,
  needs: DeviceHttpNeeds,
  deviceOf: (request: FastifyRequest) => KnownDevice,
): void => {
  const { intake, findAttributes, polls, bus, refusals } = needs;
  const serve = (path: string, answer: (device: KnownDevice, query: Query, reply: FastifyReply) => Promise<unknown>) =>
    app.get<DownRoute>(`/api/v1/:accessToken/${path}`, async (request, reply) => {
      const device = deviceOf(request);
      // Not awaited: the fetch is answered even while the writer is busy.
      void intake.heard(device);
      return answer(device, request.query, reply);
    });
  const servePoll = (path: string, kind: PolledKind) =>
    serve(path, async ({ deviceId }, query, reply) => {
      const left = new AbortController();
      reply.raw.once("close", () => left.abort());
      const notice = polls.wait(deviceId, kind, pollTimeIn(query), left.signal);
      if (notice && kind === "rpc") bus.emit("deviceReady", { deviceId, isPoll: true });
      return (await notice) ?? refuse(reply, 408, "Nothing to tell: ask again");
    });

  serve("attributes", ({ deviceId }, query) => findAttributes(deviceId, query));
  servePoll("attributes/updates", "attributes");
  servePoll("rpc", "rpc");
  serve("firmware", async ({ deviceId }, query, reply) => {
    const requested = { title: textIn(query, "title"), version: textIn(query, "version") };
    const [size, chunk = 0] = [numberIn(query, "size"), numberIn(query, "chunk")];
    const answer =
      size === 0 && chunk === 0
        ? await readImage(needs, deviceId, requested)
        : await readChunk(needs, deviceId, { ...requested, size, chunk });
    if ("refusal" in answer) {
      refusals.count(deviceId, answer.reason, "", "");
      return refuse(reply, answer.reason === RefusalReason.badChunk ? 400 : 404, answer.refusal);
    }
    reply.type("application/octet-stream");
    return "bytes" in answer
      ? reply.send(answer.bytes)
      : reply.header("content-length", answer.size).send(answer.content);
  });
  serve("software", async ({ deviceId }, _query, reply) => {
    refusals.count(deviceId, RefusalReason.notOffered, "software", "");
    return refuse(reply, 404, "No software is offered to this device: updates are firmware");
  });
};
