import type { FastifyInstance } from "fastify";
import { Histogram, type Registry } from "prom-client";

/** Times every answer, by route and status. A route's pattern stands for its addresses, and one name for those that nobody serves. */
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
