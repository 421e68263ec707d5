import { z } from "zod";
import type { Permission } from "../permissions.ts";
import "../text/validation-message.ts";

/**
 * Who may call: anyone, any user in a session of their own, members by session or API key, or whoever holds a permission. A session ends and moves to other
 * accounts; nothing of that is open to a key.
 */
export type Access = "public" | "session" | "member" | Permission;

type Fields = z.ZodObject;

/** One declared call: the server derives route, validation and authorization from it, the client its types. */
export interface Call<
  Q extends Fields = Fields,
  B extends Fields = Fields,
  P extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
  A extends Access = Access,
> {
  method: "GET" | "POST";
  /** Absolute path, starting with `/api`. */
  path: string;
  access: A;
  /** Fields of the query string, encoded as text. */
  query?: Q;
  /** Fields of the body; `encoding` selects form, JSON or multipart. */
  body?: B;
  encoding: "form" | "json" | "multipart";
  /** A JSON body that is not an object of fields, for example a list. */
  payload?: P;
  result: R;
  /** Media type of the file that is answered instead of an envelope; errors are still answered as an envelope. */
  file?: string;
  /** One line for the API documentation. */
  summary: string;
}

type Declared<Q extends Fields, B extends Fields, P extends z.ZodType, R extends z.ZodType, A extends Access> = Pick<
  Call<Q, B, P, R, A>,
  "access" | "result" | "summary"
> &
  Partial<Pick<Call<Q, B, P, R, A>, "query" | "body" | "encoding" | "payload">>;

type None = z.ZodObject<Record<never, never>>;

/** Declares a GET call. */
export const get = <R extends z.ZodType, A extends Access, Q extends Fields = None>(
  path: string,
  declared: Omit<Declared<Q, None, z.ZodNever, R, A>, "body" | "payload" | "encoding">,
): Call<Q, None, z.ZodNever, R, A> => ({ method: "GET", path, encoding: "form", ...declared });

/** A file as the typed client returns it. */
const FileAnswer = z.instanceof(Blob);
type FileAnswer = typeof FileAnswer;

/** A GET call that answers a file; the client can fetch it, or the browser can open its address. */
export type FileCall<Q extends Fields = Fields, A extends Access = Access> = Call<
  Q,
  None,
  z.ZodNever,
  FileAnswer,
  A
> & {
  file: string;
};

/** Declares a GET call that is answered with a file of media type `file`. */
export const getFile = <A extends Access, Q extends Fields = None>(
  path: string,
  declared: Pick<FileCall<Q, A>, "access" | "summary" | "file"> & { query?: Q },
): FileCall<Q, A> => ({ method: "GET", path, encoding: "form", result: FileAnswer, ...declared });

/** Declares a POST call; its body is form-encoded unless `encoding` says otherwise. */
export const post = <
  R extends z.ZodType,
  A extends Access,
  B extends Fields = None,
  Q extends Fields = None,
  P extends z.ZodType = z.ZodNever,
>(
  path: string,
  declared: Declared<Q, B, P, R, A>,
): Call<Q, B, P, R, A> => ({ method: "POST", path, encoding: "form", ...declared });

// A call without fields must not get zod's `Record<string, never>`, which would forbid the fields of the other part.
type FieldsOf<F extends Fields> = [keyof F["shape"]] extends [never] ? object : z.output<F>;
type PayloadOf<P extends z.ZodType> = [z.output<P>] extends [never] ? object : { payload: z.output<P> };

/** The input of a call: its decoded query and body fields together. */
export type Input<C> =
  C extends Call<infer Q, infer B, infer P, infer _R> ? FieldsOf<Q> & FieldsOf<B> & PayloadOf<P> : never;

/** The decoded result of a call. */
// biome-ignore lint/suspicious/noExplicitAny: inference from the call's own type parameters
export type Result<C> = C extends Call<any, any, any, infer R> ? z.output<R> : never;

/** A domain's calls by name. */
// biome-ignore lint/suspicious/noExplicitAny: a set of calls of any shape
export type Calls = Record<string, Call<any, any, any, any>>;
