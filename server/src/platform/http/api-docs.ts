import { readdirSync } from "node:fs";
import { join } from "node:path";
import { openApi } from "@telltale/contract/call/openapi";
import { maxKeyCalls } from "@telltale/contract/domains/people/api-keys";
import type { FastifyInstance } from "fastify";
import { apiExamples } from "./api-examples.ts";
import { styleNonce } from "./security.ts";

/** What the page shows of a schema; everything else is in the document. */
interface Schema {
  type?: string;
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  /** What a text holds that is joined by commas. */
  contains?: Schema;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  properties?: Record<string, Schema>;
  required?: string[];
}

/** The parts of an OpenAPI operation that the page shows. */
interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters: { name: string; required: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: { 200: { content: Record<string, { schema?: Schema }> } };
}

interface Document {
  info: { title: string; description: string };
  paths: Record<string, Record<string, Operation>>;
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Bounds beyond this are those of the number's type, which nobody has to know. */
const largestInt = 2 ** 31 - 1;

/** `, 1 to 200`, `, at least 0`; blank without bounds of its own. */
const boundsOf = (least: number | undefined, most: number | undefined, unit: string): string => {
  const from = least !== undefined && least > -largestInt ? least : undefined;
  const to = most !== undefined && most < largestInt ? most : undefined;
  if (from !== undefined && to !== undefined) return `, ${from} to ${to}${unit}`;
  if (from !== undefined) return `, at least ${from}${unit}`;
  return to === undefined ? "" : `, at most ${to}${unit}`;
};

/** A type in a few words: `integer, 1 to 200`, `text (date-time)`, `1 high, 2 low`, `list of {deviceId, deviceName}`. */
const typeOf = (schema: Schema): string => {
  const { type, format, anyOf, items, contains, properties, description } = schema;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (description && (schema.enum || type === "integer")) return description;
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(" | ");
  if (contains) return `one or several, joined by commas: ${typeOf(contains)}`;
  if (type === "array" && items) return `${items.description ? "one or several:" : "list of"} ${typeOf(items)}`;
  if (type === "array") return "list";
  if (properties) return `{${Object.keys(properties).join(", ")}}`;
  const name = type === "string" ? "text" : (type ?? "any");
  const bounds =
    boundsOf(schema.minimum, schema.maximum, "") + boundsOf(schema.minLength, schema.maxLength, " characters");
  return `${format ? `${name} (${format})` : name}${bounds}`;
};

/** What a field takes, and what is taken without it. */
const valuesOf = (schema: Schema): string =>
  schema.default === undefined || schema.default === ""
    ? typeOf(schema)
    : `${typeOf(schema)}; without it ${JSON.stringify(schema.default)}`;

interface Field {
  name: string;
  isRequired: boolean;
  schema: Schema;
}

const fieldsOf = ({ properties = {}, required = [] }: Schema): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({ name, isRequired: required.includes(name), schema }));

const fieldTable = (caption: string, fields: readonly Field[]): string => {
  if (fields.length === 0) return "";
  const rows = fields.map(
    ({ name, isRequired, schema }) =>
      `<tr><th scope="row"><code>${escaped(name)}</code></th><td>${escaped(valuesOf(schema))}</td><td>${isRequired ? "" : "optional"}</td></tr>`,
  );
  return `<table><caption>${escaped(caption)}</caption><tbody>${rows.join("")}</tbody></table>`;
};

const bodyOf = ({ requestBody }: Operation): string => {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  return type && content ? fieldTable(`Body, ${type}`, fieldsOf(content.schema)) : "";
};

const answerOf = ({ responses }: Operation): string => {
  const [type, content] = Object.entries(responses[200].content)[0] ?? [];
  if (type !== undefined && !content?.schema) return `<p>Answers with a file, <code>${escaped(type)}</code>.</p>`;
  const result = content?.schema?.properties?.result?.anyOf?.[0];
  return result ? `<p>Result: <code class="type">${escaped(typeOf(result))}</code></p>` : "";
};

const section = (path: string, method: string, operation: Operation): string => {
  const query = operation.parameters.map(({ name, required, schema }) => ({ name, isRequired: required, schema }));
  return `
<section id="${escaped(operation.operationId)}">
  <h3><b>${method.toUpperCase()}</b> <code>${escaped(path)}</code></h3>
  <p>${escaped(operation.summary)}.</p>
  <p class="access">${escaped(operation.description)}</p>
  ${fieldTable("Query", query)}
  ${bodyOf(operation)}
  ${answerOf(operation)}
</section>`;
};

/** `alertEntries` as it is spoken. */
const wordsOf = (domain: string): string => domain.replace(/[A-Z]/g, (sign) => ` ${sign.toLowerCase()}`);

const mark = `<svg width="26" height="26" viewBox="0 0 24 24" aria-hidden="true"><rect width="24" height="24" rx="3" fill="#0d1113"/><path fill="#e9eef0" d="M3 3h18v6H3zM9 10.4h6V21H9z"/><path fill="#3a454a" d="M3 10.4h4.6V21H3zM16.4 10.4H21V21h-4.6z"/></svg>`;

/** The console's colours, by the system's theme: there is no script that could know which one the console is set to. */
const style = `
:root { color-scheme: light dark; --canvas: #e9ecea; --surface: #fcfdfc; --border: #cbd2cf; --text-1: #161c1e; --text-2: #434d52; --accent: #175874; --tint: #e1ecf1; --bar: #23292c; }
@media (prefers-color-scheme: dark) { :root { --canvas: #14181a; --surface: #1c2225; --border: #343e43; --text-1: #e7ecee; --text-2: #b6c0c4; --accent: #86c5e0; --tint: #1b3440; --bar: #0b0e10; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 68px; }
body { margin: 0; background: var(--canvas); color: var(--text-1); font: 14px/20px "IBM Plex Sans Variable", "Segoe UI", Roboto, Arial, sans-serif; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
header { position: sticky; z-index: 1; top: 0; display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; min-height: 52px; padding: 6px 20px; background: var(--bar); color: #f1f4f3; }
header b { font-size: 18px; font-weight: 600; }
header a { display: inline-flex; align-items: center; min-height: 32px; color: #b4bfc3; }
header a:first-of-type { margin-left: auto; }
header :focus-visible { outline-color: #8fd0ee; }
.page { display: grid; grid-template-columns: 232px minmax(0, 1fr); gap: 20px; max-width: 1320px; margin: 0 auto; padding: 20px; }
nav { position: sticky; top: 72px; align-self: start; max-height: calc(100vh - 92px); overflow-y: auto; padding: 8px 0; border: 1px solid var(--border); border-radius: 3px; background: var(--surface); }
nav a { display: flex; justify-content: space-between; padding: 6px 14px; color: var(--text-1); text-decoration: none; text-transform: capitalize; }
nav a:hover { background: var(--tint); }
nav small { color: var(--text-2); }
h1 { margin: 0 0 6px; font-size: 20px; line-height: 28px; font-weight: 600; }
main > p { max-width: 86ch; margin: 0; color: var(--text-2); }
h2 { margin: 28px 0 8px; font-size: 16px; line-height: 24px; font-weight: 600; text-transform: capitalize; }
section { margin: 0 0 8px; padding: 10px 14px 12px; border: 1px solid var(--border); border-radius: 3px; background: var(--surface); }
section:target { border-color: var(--accent); }
h3 { display: flex; flex-wrap: wrap; gap: 2px 10px; margin: 0 0 4px; font-size: 14px; line-height: 20px; font-weight: 500; }
h3 b { min-width: 44px; color: var(--accent); font-weight: 600; }
h3 code { overflow-wrap: anywhere; }
section p { margin: 2px 0; }
details { margin: 0 0 8px; border: 1px solid var(--border); border-radius: 3px; background: var(--surface); }
summary { padding: 9px 14px; font-weight: 500; cursor: pointer; }
pre { margin: 0; padding: 10px 14px; overflow-x: auto; border-top: 1px solid var(--border); }
table + p { margin-top: 8px; }
.access { color: var(--text-2); font-size: 13px; }
code { font: 13px/20px "IBM Plex Mono", ui-monospace, Consolas, monospace; }
.type { overflow-wrap: anywhere; }
table { width: 100%; margin-top: 8px; border-collapse: collapse; }
caption { padding-bottom: 2px; color: var(--text-2); font-size: 11.5px; font-weight: 600; letter-spacing: .045em; text-align: left; text-transform: uppercase; }
th, td { padding: 4px 14px 4px 0; border-top: 1px solid var(--border); text-align: left; vertical-align: top; font-weight: 400; overflow-wrap: anywhere; }
th { width: 34%; }
td:last-child { width: 76px; padding-right: 0; color: var(--text-2); }
@media (max-width: 767px) { .page { grid-template-columns: minmax(0, 1fr); padding: 12px; } nav { position: static; max-height: 260px; } nav a { min-height: 44px; align-items: center; } header a { min-height: 44px; } }
@media print { nav, header a { display: none; } .page { display: block; } }`;

const examples = `<h2 id="examples">Examples</h2>${apiExamples
  .map(
    ({ language, text }) =>
      `<details><summary>${escaped(language)}</summary><pre tabindex="0"><code>${escaped(text)}</code></pre></details>`,
  )
  .join("")}`;

/** The addresses of the console's fonts, where the console has been built. */
interface Fonts {
  sans: string | undefined;
  mono: string | undefined;
}

const faceOf = (family: string, weight: string, url: string | undefined): string =>
  url === undefined
    ? ""
    : `@font-face { font-family: "${family}"; font-weight: ${weight}; src: url("${escaped(url)}") format("woff2"); }`;

/** Where an answer's nonce stands in the page. */
const noncePlace = "%STYLE_NONCE%";

/** The API documentation as an HTML page without scripts; its style element carries the nonce at `noncePlace`. */
const apiDocsPage = (given: Record<string, unknown>, fonts: Fonts): string => {
  const { info, paths } = given as unknown as Document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const domains = [...Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? "")];
  const links = domains.map(
    ([domain, calls]) => `<a href="#${escaped(domain)}">${escaped(wordsOf(domain))} <small>${calls.length}</small></a>`,
  );
  const parts = domains.map(([domain, calls]) => {
    const sections = calls.map(({ path, method, operation }) => section(path, method, operation));
    return `<h2 id="${escaped(domain)}">${escaped(wordsOf(domain))}</h2>${sections.join("")}`;
  });
  const faces = `${faceOf("IBM Plex Sans Variable", "100 700", fonts.sans)}${faceOf("IBM Plex Mono", "400", fonts.mono)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(info.title)} API</title>
<link rel="icon" type="image/svg+xml" href="/mark.svg">
<style nonce="${noncePlace}">${faces}${style}</style>
</head>
<body>
<header>${mark}<b>${escaped(info.title)}</b><a href="/api/docs?format=json">OpenAPI</a><a href="/">Back to the console</a></header>
<div class="page">
<nav aria-label="Domains"><a href="#examples">Examples</a>${links.join("")}</nav>
<main>
<h1>API</h1>
<p>${escaped(info.description)} </p>
<p>Programs send an <a href="/apiKeys">API key</a> in the header <code>Authorization: Bearer</code>: it may do what its role may, until it ends or is revoked, and makes at most ${maxKeyCalls.toLocaleString("en")} calls a minute. The token of a login goes along in the same header, or as query parameter <code>token</code>. Without either a call is answered 401.</p>
${examples}
${parts.join("")}
</main>
</div>
</body>
</html>
`;
};

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

/** Serves `/api/docs`: the contract as OpenAPI, generated once, at the first request, since anybody may ask; browsers get an HTML page. */
export const serveApiDocs = (app: FastifyInstance, version: string, consoleFolder: string | undefined): void => {
  let json: Buffer | undefined;
  let page: string | undefined;
  app.get<{ Querystring: { format?: unknown } }>("/api/docs", async ({ headers, query }, reply) => {
    reply.header("vary", "accept");
    // A browser always asks for HTML; the page's link to the document says what it wants.
    if (!headers.accept?.includes("text/html") || query.format === "json") {
      json ??= Buffer.from(JSON.stringify(openApi(version)));
      return reply.type("application/json; charset=utf-8").send(json);
    }
    page ??= apiDocsPage(openApi(version), fontsOf(consoleFolder));
    return reply.type("text/html; charset=utf-8").send(page.replace(noncePlace, styleNonce(reply)));
  });
};
