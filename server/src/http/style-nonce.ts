import { randomBytes } from "node:crypto";
import type { FastifyReply } from "fastify";

const nonces = new WeakMap<object, string>();

/** A word of this answer only, by the raw response: a style element that carries it is applied. */
export const nonceOf = (response: object): string => {
  const nonce = nonces.get(response) ?? randomBytes(16).toString("base64url");
  nonces.set(response, nonce);
  return nonce;
};

/** The word that the content security policy of this answer demands of style elements. */
export const styleNonce = (reply: FastifyReply): string => nonceOf(reply.raw);
