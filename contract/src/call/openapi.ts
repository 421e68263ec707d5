import { z } from "zod";
import { allCalls } from "../all-calls.ts";
import { type Grant, permissions, roleNames } from "../permissions.ts";
import type { Call, Calls } from "./call.ts";
import { Code } from "./codes.ts";
import { answerSchema, fieldSchema, type Json } from "./field-schema.ts";

const isOptional = (schema: z.ZodType): boolean => z.safeParse(schema, undefined).success;

const parametersOf = ({ query }: Call): Json[] =>
  Object.entries(query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: !isOptional(schema),
    schema: fieldSchema(schema),
  }));

const mediaTypes: Record<Call["encoding"], string> = {
  form: "application/x-www-form-urlencoded",
  json: "application/json",
  multipart: "multipart/form-data",
};

const bodyOf = ({ body, payload, encoding }: Call): Json => {
  const schema = payload ?? body;
  if (!schema) return {};
  const type = payload ? mediaTypes.json : mediaTypes[encoding];
  return { requestBody: { required: true, content: { [type]: { schema: fieldSchema(schema) } } } };
};

const envelopeOf = ({ result, file }: Call): Json => ({
  type: "object",
  required: ["code", "msg", "result"],
  properties: {
    code: { type: "integer", description: "0: success; any other code: see msg" },
    msg: { type: "string" },
    result: file ? { type: "null" } : { anyOf: [answerSchema(result), { type: "null" }] },
  },
});

/** The possible answers: a file, or the envelope. */
const answersOf = (call: Call): Json => {
  const envelope = { "application/json": { schema: envelopeOf(call) } };
  return call.file
    ? { description: "The file; an error is answered as an envelope", content: { [call.file]: {}, ...envelope } }
    : { description: "The envelope", content: envelope };
};

const accessOf = ({ access }: Call): string => {
  if (access === "public") return "Needs no token.";
  if (access === "session") return "Needs a session's token.";
  if (access === "member") return "Needs a token or API key.";
  const { roles, kind, isPersonal }: Grant = permissions[access];
  const by = isPersonal ? "session's token" : "token or API key";
  return `Needs a ${by} of: ${roles.map((role) => roleNames[role]).join(", ")}${kind === "write" ? "; not in a support view or by a read-only key" : ""}.`;
};

const operationOf = (domain: string, name: string, call: Call): Json => ({
  operationId: `${domain}.${name}`,
  tags: [domain],
  summary: call.summary,
  description: accessOf(call),
  security: call.access === "public" ? [] : [{ token: [] }, { bearer: [] }],
  parameters: parametersOf(call),
  ...bodyOf(call),
  responses: {
    200: answersOf(call),
    500: { description: "Server is busy" },
  },
});

const pathsOf = (domains: Record<string, Calls>): Json => {
  const paths: Record<string, Json> = {};
  for (const [domain, calls] of Object.entries(domains)) {
    for (const [name, call] of Object.entries(calls)) {
      paths[call.path] = { ...paths[call.path], [call.method.toLowerCase()]: operationOf(domain, name, call) };
    }
  }
  return paths;
};

const codeNames = Object.entries(Code).map(([name, code]) => `${code} ${name}`);

/** The contract as an OpenAPI 3.1 document. */
export const openApi = (version: string): Json => ({
  openapi: "3.1.0",
  info: {
    title: "Telltale",
    version,
    description: `Every answer is an envelope {code, msg, result} with HTTP status 200, except a fault of the server: HTTP 500. Codes: ${codeNames.join(", ")}.`,
  },
  paths: pathsOf(allCalls),
  components: {
    securitySchemes: {
      token: { type: "apiKey", in: "query", name: "token" },
      bearer: { type: "http", scheme: "bearer", description: "An API key, or the token of a login" },
    },
  },
});
