import { openApi } from "@telltale/contract/openapi";
import type { FastifyInstance } from "fastify";
import { apiDocsPage } from "./api-docs-page.ts";
import { styleNonce } from "./style-nonce.ts";

/** `/api/docs`: the contract as OpenAPI, made at the first request; a browser gets a page to read. */
export const serveApiDocs = (app: FastifyInstance, version: string): void => {
  let document: ReturnType<typeof openApi> | undefined;
  app.get("/api/docs", async (request, reply) => {
    document ??= openApi(version);
    reply.header("vary", "accept");
    if (request.headers.accept?.includes("text/html"))
      return reply.type("text/html").send(apiDocsPage(document, styleNonce(reply)));
    return document;
  });
};
