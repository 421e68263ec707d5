import type { Call } from "@telltale/contract/call/call";
import { uploadLimits } from "@telltale/contract/call/wire";
import type { Random } from "../random.ts";
import type { HttpRequest } from "./http-lane.ts";
import type { KnownValues } from "./known-values.ts";
import { damaged, mutated } from "./mutate.ts";
import { oddText, oddValue } from "./odd-values.ts";

type Field = [name: string, value: string];

const fieldNames = (shape: object | undefined): string[] => Object.keys(shape ?? {});

/** Fields that are missing, valid, odd, repeated or lists. */
const fieldsFor = (random: Random, names: readonly string[], known: KnownValues): Field[] => {
  const fields = names.flatMap((name): Field[] => {
    if (random.chance(0.12)) return [];
    const value = random.chance(0.25) ? oddText(random) : (known.suggest(random, name) ?? oddText(random));
    if (random.chance(0.04)) return [[`${name}[]`, value]];
    return random.chance(0.04)
      ? [
          [name, value],
          [name, oddText(random)],
        ]
      : [[name, value]];
  });
  return random.chance(0.05) ? [...fields, [oddText(random), oddText(random)]] : fields;
};

const encoded = (fields: readonly Field[]): string =>
  new URLSearchParams(fields.map(([name, value]) => [name, value])).toString();

const multipart = (random: Random, call: Call, fields: readonly Field[]): Pick<HttpRequest, "headers" | "body"> => {
  const isFile = (name: string) => uploadLimits.has(call.body?.shape[name] as never);
  const parts = fields.map(([name, value]) => {
    const isOfFile = isFile(name) || random.chance(0.05);
    const fileNamePart = isOfFile ? `; filename="${random.pick(["a.png", "a.svg", "../a", "a.gif"])}"` : "";
    const content = isOfFile ? random.pick(pictureHeads)(random) : Buffer.from(value);
    const safeName = name.replace(/[\r\n"]/g, "");
    return Buffer.concat([
      Buffer.from(`--x\r\nContent-Disposition: form-data; name="${safeName}"${fileNamePart}\r\n\r\n`),
      content,
      Buffer.from("\r\n"),
    ]);
  });
  const body = Buffer.concat([...parts, Buffer.from("--x--\r\n")]);
  return {
    headers: { "content-type": "multipart/form-data; boundary=x" },
    body: random.chance(0.2) ? damaged(random, body) : body,
  };
};

/** File headers: of valid pictures, and of files that pretend to be one. */
const pictureHeads: readonly ((random: Random) => Buffer)[] = [
  (random) => Buffer.concat([Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), random.bytes(60)]),
  (random) => Buffer.concat([Buffer.from("ffd8ffe000104a46494600", "hex"), random.bytes(60)]),
  () => Buffer.from("GIF89a/*\x01\x00*/=alert(1);"),
  () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
  (random) => random.bytes(random.below(2000)),
];

const json = (value: unknown): Pick<HttpRequest, "headers" | "body"> => ({
  headers: { "content-type": "application/json" },
  body: Buffer.from(JSON.stringify(value) ?? ""),
});

const asJson = (random: Random, fields: readonly Field[]): Pick<HttpRequest, "headers" | "body"> => {
  const typed = fields.map(([name, text]) => {
    const value = /^-?\d{1,12}$/.test(text) && random.chance(0.5) ? Number(text) : text;
    return [name, random.chance(0.08) ? oddValue(random) : value];
  });
  return json(Object.fromEntries(typed));
};

/** A body of a kind that the call does not accept. */
const unsupportedBody = (random: Random): Pick<HttpRequest, "headers" | "body"> => {
  const types = [
    "application/json",
    "text/plain",
    "multipart/form-data",
    "application/x-www-form-urlencoded",
    "a/b",
    "",
  ];
  const size = random.chance(0.02) ? 1_200_000 : random.below(300);
  const type = random.pick(types);
  const content = size > 1000 ? Buffer.alloc(size, 97) : random.bytes(size);
  return { headers: type ? { "content-type": type } : {}, body: content };
};

const bodyFor = (random: Random, call: Call, known: KnownValues): Pick<HttpRequest, "headers" | "body"> => {
  if (call.method === "GET" && !random.chance(0.02)) return { headers: {} };
  if (random.chance(0.04)) return unsupportedBody(random);
  if (call.payload) return json(mutated(random, [known.row(random), known.row(random)]));
  const fields = fieldsFor(random, fieldNames(call.body?.shape), known);
  if (call.encoding === "multipart") return multipart(random, call, fields);
  if (call.encoding === "json" || random.chance(0.25)) return asJson(random, fields);
  const body = Buffer.from(encoded(fields));
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return { headers, body: random.chance(0.05) ? damaged(random, body) : body };
};

/** Where the token is sent, if there is one. */
const signed = (random: Random, token: string | undefined): { fields: Field[]; headers: Record<string, string> } => {
  if (token === undefined) return { fields: random.chance(0.2) ? [["token", "unknown"]] : [], headers: {} };
  if (random.chance(0.2)) return { fields: [], headers: { authorization: `Bearer ${token}` } };
  return { fields: [["token", token]], headers: {} };
};

/** A call of the contract with fields omitted, odd, oversized, repeated or of another type, with or without a session. */
export const mutatedCall = (random: Random, call: Call, known: KnownValues, token: string | undefined): HttpRequest => {
  const { fields, headers } = signed(random, token);
  const query = encoded([...fields, ...fieldsFor(random, fieldNames(call.query?.shape), known)]);
  const path = random.chance(0.02) ? `${call.path}/${encodeURIComponent(oddText(random).toWellFormed())}` : call.path;
  const method = random.chance(0.02) ? random.pick(["GET", "POST", "PUT", "HEAD", "OPTIONS", "DELETE"]) : call.method;
  const body = bodyFor(random, call, known);
  return {
    method,
    path: `${path}?${random.chance(0.02) ? damaged(random, Buffer.from(query)).toString("base64url") : query}`,
    ...body,
    // A different address per call: otherwise the rate limits by address would answer most of them and hide everything behind.
    headers: { ...body.headers, ...headers, "x-forwarded-for": `10.${random.below(256)}.${random.below(256)}.1` },
  };
};
