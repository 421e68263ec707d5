import { randomBytes } from "node:crypto";
import helmet from "@fastify/helmet";
import type { FastifyInstance, FastifyReply } from "fastify";

const nonces = new WeakMap<object, string>();

/** A word of this answer only, by the raw response: a style element that carries it is applied. */
const nonceOf = (response: object): string => {
  const nonce = nonces.get(response) ?? randomBytes(16).toString("base64url");
  nonces.set(response, nonce);
  return nonce;
};

/** The word that the content security policy of this answer demands of style elements. */
export const styleNonce = (reply: FastifyReply): string => nonceOf(reply.raw);

/**
 * Headers that keep a browser from doing what the console never asks for. Scripts come from our own files only, styles too; style elements
 * that Mantine makes for its variables carry the word that this answer was given. What scripts set of an element's style is not asked for it.
 */
export const secure = async (app: FastifyInstance, isTls: boolean): Promise<void> => {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        styleSrc: ["'self'", (_request, response) => `'nonce-${nonceOf(response)}'`],
        imgSrc: ["'self'", "data:", "blob:"],
        fontSrc: ["'self'", "data:"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // Addresses hold the token (spec 1 §7), so no other site may learn them.
    referrerPolicy: { policy: "no-referrer" },
    // Over plain HTTP a browser ignores it, and behind a proxy that ends TLS it must be sent.
    strictTransportSecurity: isTls ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    frameguard: { action: "deny" },
  });
  // A session's answers hold its token and the plant's data, so neither a browser nor a proxy may keep them.
  app.addHook("onRequest", async (request, reply) => {
    if (request.url.startsWith("/api/")) reply.header("cache-control", "no-store");
  });
};

/** The same for an answer that is given before anything of the request is looked at: there is nothing in it to be shown. */
export const bareHeaders = {
  "content-security-policy": "default-src 'none';frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};
