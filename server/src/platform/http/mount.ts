import type { Call, Calls, Input, Result } from "@telltale/contract/call/call";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { byKey } from "../database/audit.ts";
import { invalid, notAllowed } from "./api-error.ts";
import type { Caller, Visitor } from "./caller.ts";
import { success } from "./envelope.ts";
import { checkContent, fieldsOfJson } from "./fields.ts";
import { type FileAnswer, sendFile } from "./file-answer.ts";
import type { Gate } from "./gate.ts";
import { readUpload, withUploads } from "./upload.ts";

/** Decodes by schema; throws with the message of the first invalid field, in the declared order. */
const decode = <S extends z.ZodType>(schema: S, value: unknown): z.output<S> => {
  const read = z.safeParse(schema, value);
  if (!read.success) throw invalid(read.error.issues[0]?.message ?? "The request is not valid");
  return read.data;
};

const isJson = (request: FastifyRequest): boolean => request.headers["content-type"]?.includes("json") ?? false;

const bodyFields = async (call: Call, request: FastifyRequest): Promise<unknown> => {
  if (call.body && call.encoding === "multipart") return readUpload(call.body, request);
  const body = request.body ?? {};
  return call.encoding === "form" && isJson(request) ? fieldsOfJson(body) : body;
};

/** A handler's input: query and body fields merged, and the payload if the call has one. */
const readInput = async (call: Call, request: FastifyRequest): Promise<Record<string, unknown>> => {
  checkContent(request.query);
  checkContent(request.body);
  const body = await bodyFields(call, request);
  return {
    ...(call.query ? decode(call.query, request.query) : {}),
    ...(call.body ? decode(call.body, body) : {}),
    ...(call.payload ? { payload: decode(call.payload, request.body) } : {}),
  };
};

/** The browser that makes a call, for those few calls that need a cookie. Sessions have none: their token is in the request. */
interface Browser {
  /** Throws when a page of another site makes the call, as far as the browser tells. */
  checkSite(): void;
  cookie(name: string): string | undefined;
  /** Sets a cookie that scripts cannot read and other sites cannot send along, for so many seconds; 0 removes it. */
  setCookie(name: string, value: string, seconds: number): void;
}

/** Values of `Sec-Fetch-Site` for our own pages, and for addresses that the user typed. */
const ownSites = new Set(["same-origin", "none"]);

/** Browsers accept a name that begins so over https only, for this host only: no neighbouring host can set it. */
const hostOnly = "__Host-";

/** The browser of a request. */
const browserOf = (request: FastifyRequest, reply: FastifyReply): Browser => ({
  checkSite: () => {
    const site = request.headers["sec-fetch-site"];
    if (typeof site === "string" && !ownSites.has(site)) throw notAllowed("Another site's page can't do this");
  },
  cookie: (name) => {
    const pairs = (request.headers.cookie ?? "").split(";").map((pair) => pair.trim());
    return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  },
  setCookie: (name, value, seconds) => {
    const secure = name.startsWith(hostOnly) ? "; Secure" : "";
    void reply.header("set-cookie", `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`);
  },
});

/** The caller type of a handler: a public call may come from a visitor. */
type CallerOf<C> = C extends { access: "public" } ? Visitor : Caller;

/** The return type of a handler: the result, or the file of a call that answers one. */
type AnswerOf<C> = C extends { file: string } ? FileAnswer : Result<C>;

/** One handler for every call of a domain. It throws an `ApiError` for any answer that is not a result. */
export type Handlers<C extends Calls> = {
  [K in keyof C]: (input: Input<C[K]>, caller: CallerOf<C[K]>, browser: Browser) => Promise<AnswerOf<C[K]>>;
};

type AnyHandler = (input: unknown, caller: Visitor, browser: Browser) => Promise<unknown>;

/** Largest body of a signed-in caller, bytes; uploads have their own limit. */
const bodyLimit = 1024 * 1024;

const mountCall = (app: FastifyInstance, gate: Gate, call: Call, handler: AnyHandler): void => {
  // The caller is authorized before the body is read.
  const callers = new WeakMap<object, Visitor | Caller>();
  app.route({
    method: call.method,
    url: call.path,
    ...(call.access === "public" ? {} : { bodyLimit }),
    onRequest: async (request) => {
      callers.set(request, await gate.admit(call.access, request));
    },
    handler: async (request, reply) => {
      const caller = callers.get(request);
      if (!caller) throw new Error(`${call.path} was reached without passing the gate`);
      const input = await readInput(call, request);
      const browser = browserOf(request, reply);
      const handle = () => gate.handle(call.method === "GET", () => handler(input, caller, browser));
      const result = await ("accountId" in caller
        ? gate.inShare(caller, () => byKey(caller.key?.name, handle))
        : handle());
      if (call.file) return sendFile(reply, call.file, result as FileAnswer);
      return success(z.encode(call.result, result));
    },
  });
};

/** Serves a domain's calls as declared in the contract. */
export const mount = <C extends Calls>(app: FastifyInstance, gate: Gate, calls: C, handlers: Handlers<C>): void => {
  const given = handlers as Record<string, AnyHandler>;
  for (const name of Object.keys(given)) {
    if (!(name in calls)) throw new Error(`There is no call ${name} in the contract`);
  }
  for (const [name, call] of Object.entries(calls)) {
    const handler = given[name];
    if (!handler) throw new Error(`The call ${name} (${call.path}) has no handler`);
    if (call.encoding === "multipart") withUploads(app, (scope) => mountCall(scope, gate, call, handler));
    else mountCall(app, gate, call, handler);
  }
};
