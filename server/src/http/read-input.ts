import type { Call } from "@telltale/contract/call";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { checkContent, fieldsOfJson } from "./fields.ts";
import { invalid } from "./refusal.ts";
import { readUpload } from "./upload.ts";

/** Decodes by the declaration; the message is that of the first field, in the declared order. */
const decode = (schema: z.ZodType, value: unknown): unknown => {
  const read = z.safeDecode(schema, value as never);
  if (!read.success) throw invalid(read.error.issues[0]?.message ?? "The request is not valid");
  return read.data;
};

const isJson = (request: FastifyRequest): boolean => request.headers["content-type"]?.includes("json") ?? false;

const bodyFields = async (call: Call, request: FastifyRequest): Promise<unknown> => {
  if (call.body && call.encoding === "multipart") return readUpload(call.body, request);
  const body = request.body ?? {};
  return call.encoding === "form" && isJson(request) ? fieldsOfJson(body) : body;
};

/** What a handler is given: query and body fields decoded together, and the payload if the call has one. */
export const readInput = async (call: Call, request: FastifyRequest): Promise<Record<string, unknown>> => {
  checkContent(request.query);
  checkContent(request.body);
  const body = await bodyFields(call, request);
  return {
    ...(call.query ? (decode(call.query, request.query) as object) : {}),
    ...(call.body ? (decode(call.body, body) as object) : {}),
    ...(call.payload ? { payload: decode(call.payload, request.body) } : {}),
  };
};
