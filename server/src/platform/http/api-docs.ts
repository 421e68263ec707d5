import { readdirSync } from "node:fs";
import { join } from "node:path";
import { openApi } from "@telltale/contract/call/openapi";
import type { FastifyInstance } from "fastify";
import { apiDocsPage, type Fonts } from "./api-docs-page.ts";
import { styleNonce } from "./security.ts";

/** The built console's fonts, which have a hash in their names. */
const fontsOf = (consoleFolder: string | undefined): Fonts => {
  const listed = (folder: string): string[] => {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  };
  const files = consoleFolder === undefined ? [] : listed(join(consoleFolder, "assets"));
  const find = (start: string) => {
    const file = files.find((name) => name.startsWith(start) && name.endsWith(".woff2"));
    return file && `/assets/${file}`;
  };
  return { sans: find("ibm-plex-sans-latin-standard-normal"), mono: find("ibm-plex-mono-latin-400-normal") };
};

/** Serves `/api/docs`: the contract as OpenAPI, generated at the first request; browsers get an HTML page. */
export const serveApiDocs = (app: FastifyInstance, version: string, consoleFolder: string | undefined): void => {
  let document: ReturnType<typeof openApi> | undefined;
  let fonts: Fonts | undefined;
  app.get<{ Querystring: { format?: unknown } }>("/api/docs", async ({ headers, query }, reply) => {
    document ??= openApi(version);
    reply.header("vary", "accept");
    // A browser always asks for HTML; the page's link to the document says what it wants.
    if (!headers.accept?.includes("text/html") || query.format === "json") return document;
    fonts ??= fontsOf(consoleFolder);
    return reply.type("text/html; charset=utf-8").send(apiDocsPage(document, styleNonce(reply), fonts));
  });
};
