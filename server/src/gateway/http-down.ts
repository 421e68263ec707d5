import { RefusalReason } from "@telltale/contract/device-api";
import type { FastifyInstance, FastifyReply } from "fastify";
import { readChunk } from "../firmware/chunks.ts";
import type { Registry } from "../telemetry/registry.ts";
import type { World } from "../world.ts";
import type { Intake } from "./intake.ts";
import type { FindSharedAttributes } from "./shared-attributes.ts";

interface Needs extends Pick<World, "db" | "clock" | "files" | "log"> {
  registry: Registry;
  intake: Intake;
  sharedAttributes: FindSharedAttributes;
}

type Query = Partial<Record<string, string | string[]>>;
interface DownRoute {
  Params: { accessToken: string };
  Querystring: Query;
}

const textIn = (query: Query, name: string): string | undefined => {
  const value = query[name];
  return typeof value === "string" && value !== "" ? value : undefined;
};

const numberIn = (query: Query, name: string): number | undefined => {
  const text = textIn(query, name);
  return text === undefined ? undefined : Number(text);
};

const refuse = (reply: FastifyReply, status: number, message: string) => reply.code(status).send({ status, message });

/**
 * What devices fetch by HTTP: `GET /api/v1/{accessToken}/attributes?sharedKeys=` and `GET /api/v1/{accessToken}/firmware?title=&version=&size=&chunk=`, which
 * answers the bytes of a chunk. Without `chunk` the first is meant.
 */
export const serveDown = (app: FastifyInstance, needs: Needs): void => {
  const { registry, intake, sharedAttributes } = needs;
  const known = async (accessToken: string) => {
    const device = await registry.find({ token: accessToken });
    // Not waited for: what it fetches it gets while the writer is busy, too.
    if (device) void intake.heard(device);
    return device;
  };
  app.get<DownRoute>("/api/v1/:accessToken/attributes", async ({ params, query }, reply) => {
    const device = await known(params.accessToken);
    if (!device) return refuse(reply, 401, "Unknown access token");
    const wanted = textIn(query, "sharedKeys")?.split(",");
    const shared = Object.entries((await sharedAttributes(device.deviceId)) ?? {});
    return { shared: Object.fromEntries(shared.filter(([key]) => !wanted || wanted.includes(key))) };
  });
  app.get<DownRoute>("/api/v1/:accessToken/firmware", async ({ params, query }, reply) => {
    const device = await known(params.accessToken);
    if (!device) return refuse(reply, 401, "Unknown access token");
    const answer = await readChunk(needs, device.deviceId, {
      title: textIn(query, "title"),
      version: textIn(query, "version"),
      size: numberIn(query, "size"),
      chunk: numberIn(query, "chunk") ?? 0,
    });
    if ("refusal" in answer) return refuse(reply, answer.reason === RefusalReason.badChunk ? 400 : 404, answer.refusal);
    return reply.type("application/octet-stream").send(answer.bytes);
  });
};
