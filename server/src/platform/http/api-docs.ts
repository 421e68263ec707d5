import { openApi } from "@telltale/contract/call/openapi";
import type { FastifyInstance } from "fastify";
import { styleNonce } from "./security.ts";

/** The parts of an OpenAPI operation that the page shows. */
interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters: { name: string; required: boolean }[];
  requestBody?: { content: Record<string, { schema: { properties?: Record<string, unknown>; required?: string[] } }> };
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const fieldList = (fields: { name: string; required: boolean }[]): string =>
  fields.map(({ name, required }) => `<code>${escaped(name)}</code>${required ? "" : " (optional)"}`).join(", ");

const bodyOf = ({ requestBody }: Operation): string => {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (!type || !content) return "";
  const { properties = {}, required = [] } = content.schema;
  const fields = Object.keys(properties).map((name) => ({ name, required: required.includes(name) }));
  return `<p>Body, ${escaped(type)}: ${fieldList(fields)}</p>`;
};

const section = (path: string, method: string, operation: Operation): string => `
<section>
  <h3>${method.toUpperCase()} <code>${escaped(path)}</code></h3>
  <p>${escaped(operation.summary)}. ${escaped(operation.description)}</p>
  ${operation.parameters.length > 0 ? `<p>Query: ${fieldList(operation.parameters)}</p>` : ""}
  ${bodyOf(operation)}
</section>`;

const style = `
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 2.5rem; text-transform: capitalize; }
h3 { font-size: 1rem; margin-bottom: 0.25rem; }
p { margin: 0.25rem 0; }`;

/** The API documentation as an HTML page without scripts; its style element carries `nonce`. */
const apiDocsPage = (document: Record<string, unknown>, nonce: string): string => {
  const { title, description } = document.info as { title: string; description: string };
  const operations = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(
    ([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const domains = Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? "");
  const parts = [...domains].map(([domain, calls]) => {
    const sections = calls.map(({ path, method, operation }) => section(path, method, operation));
    return `<h2>${escaped(domain)}</h2>${sections.join("")}`;
  });
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>API - ${escaped(title)}</title><style nonce="${nonce}">${style}</style></head>
<body><h1>${escaped(title)} API</h1><p>${escaped(description)}</p>${parts.join("")}</body>
</html>
`;
};

/** Serves `/api/docs`: the contract as OpenAPI, generated at the first request; browsers get an HTML page. */
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
