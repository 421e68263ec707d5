import { openApi } from "@telltale/contract/openapi";
import type { FastifyInstance } from "fastify";

/** `/api/docs`: the contract as OpenAPI, made at the first request. */
export const serveApiDocs = (app: FastifyInstance, version: string): void => {
  let document: unknown;
  app.get("/api/docs", async () => {
    document ??= openApi(version);
    return document;
  });
};
