import { randomBytes } from "node:crypto";
import helmet from "@fastify/helmet";
import type { FastifyInstance, FastifyReply } from "fastify";

const nonces = new WeakMap<object, string>();

/** The nonce of a response, created on first use. */
const nonceOf = (response: object): string => {
  const nonce = nonces.get(response) ?? randomBytes(16).toString("base64url");
  nonces.set(response, nonce);
  return nonce;
};

/** The nonce that this answer's content security policy requires of style elements. */
export const styleNonce = (reply: FastifyReply): string => nonceOf(reply.raw);

/**
 * Sets security headers. Scripts and styles are allowed from our own files only; style elements, which Mantine creates for its variables, need the
 * answer's nonce. Styles set by scripts through the DOM are not restricted by it.
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
    // URLs contain the token (spec 1 §7), so no other site may receive them as a referrer.
    referrerPolicy: { policy: "no-referrer" },
    // Browsers ignore it over plain HTTP; behind a proxy that terminates TLS it must be sent.
    strictTransportSecurity: isTls ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    frameguard: { action: "deny" },
  });
  // Answers of a session contain its token and the plant's data, so neither browser nor proxy may cache them.
  app.addHook("onRequest", async (request, reply) => {
    if (request.url.startsWith("/api/")) reply.header("cache-control", "no-store");
  });
};

/** Security headers for answers given before the request was parsed, which contain nothing to display. */
export const bareHeaders = {
  "content-security-policy": "default-src 'none';frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};
