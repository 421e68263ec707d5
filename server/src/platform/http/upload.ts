import multipart, { type Multipart } from "@fastify/multipart";
import { uploadLimits } from "@telltale/contract/call/wire";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { z } from "zod";
import { fieldOf } from "../fault.ts";
import { ApiError, invalid } from "./api-error.ts";

/** Text fields beside the files: most fields, and most bytes of each. */
const texts = { most: 20, bytes: 10_000 };

/** Serves calls that accept files; elsewhere a multipart body is rejected like any unknown type. */
export const withUploads = (app: FastifyInstance, serve: (scope: FastifyInstance) => void): void => {
  void app.register((scope, _options, done) => {
    // A file that is too large is truncated here and rejected by its declaration.
    void scope.register(multipart, { throwFileSizeLimit: false });
    serve(scope);
    done();
  });
};

/** Largest file size in bytes, by field name. */
const fileFields = (body: z.ZodObject): Map<string, number> => {
  const declared = Object.entries(body.shape).map(([name, schema]) => [name, uploadLimits.get(schema)?.most] as const);
  return new Map(declared.filter((entry): entry is [string, number] => entry[1] !== undefined));
};

/** The part's value: a text, a file as far as it was read, or undefined for an undeclared file. */
const readPart = async (part: Multipart, isFile: boolean): Promise<unknown> => {
  if (part.type === "field") {
    if (part.valueTruncated) throw invalid(`At most ${texts.bytes} characters`);
    return part.value;
  }
  if (isFile) return new Blob([new Uint8Array(await part.toBuffer())]);
  part.file.resume();
  return undefined;
};

const partsOf = async (body: z.ZodObject, request: FastifyRequest): Promise<Record<string, unknown>> => {
  const files = fileFields(body);
  // One byte above the limit reveals a file that is too large; the field's own message is then the answer.
  const limits = {
    fileSize: Math.max(...files.values()) + 1,
    files: files.size,
    fields: texts.most,
    fieldSize: texts.bytes,
  };
  const fields: Record<string, unknown> = Object.create(null);
  for await (const part of request.parts({ limits })) {
    const { fieldname: name } = part;
    const value = await readPart(part, files.has(name));
    if (!(name in body.shape) || value === undefined) continue;
    fields[name] = name in fields ? [fields[name], value].flat() : value;
  }
  return fields;
};

/**
 * Reads the declared fields of a multipart body, files as Blobs; others are ignored. Never buffers more of a file than declared. File name and type
 * given by the client are dropped, because they prove nothing.
 */
export const readUpload = async (body: z.ZodObject, request: FastifyRequest): Promise<Record<string, unknown>> => {
  if (!request.isMultipart()) throw invalid("The request has to be multipart/form-data");
  try {
    return await partsOf(body, request);
  } catch (fault) {
    // Drains the rest of the body, so that the connection can be reused.
    request.raw.resume();
    if (fault instanceof ApiError) throw fault;
    const isLarge = fieldOf(fault, "statusCode") === 413;
    throw invalid(isLarge ? "The request is too large" : "The request can't be read");
  }
};
