import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Registry } from "prom-client";
import { tokenOf } from "./gate.ts";

const isLoopback = (address: string): boolean =>
  isIP(address) !== 0 && (address.startsWith("127.") || address === "::1" || address.startsWith("::ffff:127."));

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** With METRICS_TOKEN its bearers; without, the machine itself, and not whoever a proxy on it speaks for. */
const mayRead = (request: FastifyRequest, metricsToken: string | undefined): boolean => {
  if (metricsToken) return timingSafeEqual(digest(tokenOf(request) ?? ""), digest(metricsToken));
  const isForwarded = request.headers["x-forwarded-for"] !== undefined || request.headers.forwarded !== undefined;
  return isLoopback(request.socket.remoteAddress ?? "") && !isForwarded;
};

/** `/metrics` for Prometheus. */
export const serveMetrics = (app: FastifyInstance, metrics: Registry, metricsToken: string | undefined): void => {
  app.get("/metrics", async (request, reply) => {
    if (!mayRead(request, metricsToken)) return reply.code(403).type("text/plain").send("Not allowed");
    return reply.type(metrics.contentType).send(await metrics.metrics());
  });
};
