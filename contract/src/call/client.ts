import { z } from "zod";
import type { Call, Input, Result } from "./call.ts";
import { Code, type Envelope, Message } from "./codes.ts";

/** A call that the server answered with an error: `code` of the envelope and the sentence to show. */
export class CallError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.name = "CallError";
    this.code = code;
  }
}

/** A call that got no answer from a server. A class of its own, because -1 is also a code that a server may answer. */
export class UnreachableError extends CallError {
  constructor(message: string) {
    super(-1, message);
    this.name = "UnreachableError";
  }
}

export interface ClientNeeds {
  /** Origin of the server without a trailing slash; empty for the page's own origin. */
  baseUrl: string;
  /** The session token; undefined when signed out. */
  token?: () => string | undefined;
  /** An API key, instead of a session: it goes into a header, never into the address. */
  apiKey?: string;
  fetch?: typeof fetch;
}

// biome-ignore lint/suspicious/noExplicitAny: any call
type AnyCall = Call<any, any, any, any>;
export type Client = <C extends AnyCall>(
  call: C,
  input?: Partial<Input<C>>,
  signal?: AbortSignal,
) => Promise<Result<C>>;

const fieldsOf = (schema: z.ZodObject | undefined, input: Record<string, unknown>): Record<string, unknown> =>
  schema
    ? Object.fromEntries(
        Object.keys(schema.shape).flatMap((key) => (input[key] === undefined ? [] : [[key, input[key]]])),
      )
    : {};

/** Encodes a value; throws `CallError` with the sentence that the server would answer when it is invalid. */
const encode = <S extends z.ZodType>(schema: S, value: z.output<S>): z.input<S> => {
  const written = z.safeEncode(schema, value);
  if (!written.success) throw new CallError(Code.invalid, written.error.issues[0]?.message ?? Message.serverBusy);
  return written.data;
};

/** Made once of each schema: making one costs more than using it. */
const partials = new WeakMap<z.ZodObject, z.ZodObject>();
const partialOf = (schema: z.ZodObject): z.ZodObject => {
  const known = partials.get(schema) ?? z.object(schema.shape).partial();
  partials.set(schema, known);
  return known;
};

/** Encodes each given field by itself. Missing fields and contradictions between fields are left to the server's validation. */
const encodeFields = (schema: z.ZodObject, input: Record<string, unknown>): Record<string, unknown> =>
  encode(partialOf(schema), fieldsOf(schema, input));

const asParameters = (fields: Record<string, unknown>): URLSearchParams => {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(fields)) {
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined && item !== null) parameters.append(key, String(item));
  }
  return parameters;
};

/** The URL of a call with its query, for a request or for the browser to open. */
export const addressOf = (baseUrl: string, call: AnyCall, input: Record<string, unknown>, token?: string): string => {
  const parameters = call.query ? asParameters(encodeFields(call.query, input)) : new URLSearchParams();
  if (token) parameters.append("token", token);
  const query = parameters.toString();
  return `${baseUrl}${call.path}${query ? `?${query}` : ""}`;
};

const asFormData = (fields: Record<string, unknown>): FormData => {
  const form = new FormData();
  for (const [key, value] of Object.entries(fields))
    if (value !== undefined) form.append(key, value instanceof Blob ? value : String(value));
  return form;
};

const bodyOf = (
  call: AnyCall,
  input: Record<string, unknown>,
): Pick<RequestInit, "body"> & { headers?: Record<string, string> } => {
  const json = (value: unknown) => ({ body: JSON.stringify(value), headers: { "content-type": "application/json" } });
  if (call.method === "GET") return {};
  if (call.payload) return input.payload === undefined ? {} : json(encode(call.payload, input.payload));
  if (!call.body) return {};
  const fields = encodeFields(call.body, input);
  if (call.encoding === "multipart") return { body: asFormData(fields) };
  return call.encoding === "json" ? json(fields) : { body: asParameters(fields) };
};

const isFile = (call: AnyCall, response: Response): boolean =>
  call.file !== undefined && response.ok && (response.headers.get("content-type")?.startsWith(call.file) ?? false);

const isEnvelope = (value: unknown): value is Envelope =>
  typeof value === "object" && value !== null && "code" in value;

/** Code 110 means success for a GET and an error for any other method. (spec 1 §8) */
const isSuccess = ({ method }: AnyCall, { code }: Envelope): boolean =>
  code === Code.success || (code === Code.noUnitPart && method === "GET");

/** Throws the reason of an aborted call; without one, the network has failed. */
const failed = (signal: AbortSignal) => (): never => {
  signal.throwIfAborted();
  throw new UnreachableError(Message.networkBusy);
};

/** Reads the response: a file, or the result in the envelope. */
const answerOf = async (call: AnyCall, response: Response, signal: AbortSignal): Promise<unknown> => {
  if (isFile(call, response)) return response.blob().catch(failed(signal));
  const answer: unknown = response.ok ? await response.json().catch(() => undefined) : undefined;
  signal.throwIfAborted();
  if (!isEnvelope(answer)) throw new UnreachableError(Message.serverBusy);
  if (!isSuccess(call, answer)) throw new CallError(answer.code, answer.msg || Message.serverBusy);
  return answer.result;
};

/** Longest time until an answer is complete, in milliseconds. (spec 1 §9) */
const longestCall = 1_000_000;

/**
 * Returns the typed client: `client(alerts.log, { page: 1 })` resolves to the decoded result. Throws `CallError` with the envelope's code and
 * sentence, or `UnreachableError` with 'Network is busy' / 'Server is busy'. An aborted call throws the signal's reason; one that takes too long is
 * given up as a failure of the network.
 */
export const createClient = ({ baseUrl, token, apiKey, fetch: send = fetch }: ClientNeeds): Client => {
  const authorization: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  return async <C extends AnyCall>(call: C, input?: Partial<Input<C>>, signal?: AbortSignal) => {
    const values: Record<string, unknown> = { ...input };
    const address = addressOf(baseUrl, call, values, call.access === "public" ? undefined : token?.());
    const { headers, ...body } = bodyOf(call, values);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new UnreachableError(Message.networkBusy)), longestCall);
    const ended = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
    try {
      const response = await send(address, {
        method: call.method,
        ...body,
        headers: { ...headers, ...authorization },
        signal: ended,
      }).catch(failed(ended));
      const declared: z.ZodType = call.result;
      const result = declared.safeParse(await answerOf(call, response, ended));
      if (!result.success) throw new UnreachableError(Message.serverBusy);
      // Decoded with the call's own schema; TypeScript does not follow that through `C`.
      return result.data as Result<C>;
    } finally {
      clearTimeout(timer);
    }
  };
};
