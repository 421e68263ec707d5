import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Histogram, type Registry } from "prom-client";
import { tokenOf } from "../http/gate.ts";

/** Measures every answer by route and status. Labels use the route's pattern, and `none` for unknown addresses. */
export const timeRequests = (app: FastifyInstance, registry: Registry): void => {
  const durations = new Histogram({
    name: "telltale_http_request_duration_seconds",
    help: "Answers over HTTP by route and status, and how long they took; a refusal is an answer of status 200",
    labelNames: ["method", "route", "status"] as const,
    buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 10],
    registers: [registry],
  });
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "none";
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
  });
};

const isLoopback = (address: string): boolean =>
  isIP(address) !== 0 && (address.startsWith("127.") || address === "::1" || address.startsWith("::ffff:127."));

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** With METRICS_TOKEN its bearers; without, only local requests that no proxy has forwarded. */
const mayRead = (request: FastifyRequest, metricsToken: string | undefined): boolean => {
  if (metricsToken) return timingSafeEqual(digest(tokenOf(request) ?? ""), digest(metricsToken));
  const isForwarded = request.headers["x-forwarded-for"] !== undefined || request.headers.forwarded !== undefined;
  return isLoopback(request.socket.remoteAddress ?? "") && !isForwarded;
};

/** Serves `/metrics` for Prometheus. */
export const serveMetrics = (app: FastifyInstance, metrics: Registry, metricsToken: string | undefined): void => {
  app.get("/metrics", async (request, reply) => {
    if (!mayRead(request, metricsToken)) return reply.code(403).type("text/plain").send("Not allowed");
    return reply.type(metrics.contentType).send(await metrics.metrics());
  });
};
