import { requestPart } from "@telltale/contract/text/field-words";
import { invalid } from "./api-error.ts";

/** Text fields by name; a repeated one is a list. Without a prototype, so that no name means anything to JavaScript. */
export type Fields = Record<string, string | string[]>;

/** Deeper than any payload of the contract; checked because a deep one would overflow the stack of whoever walks it. */
const deepest = 32;

/** Reads a query string or a form: `a=1&a=2` and `a[]=1` are lists. Never throws; what can't be decoded stays as it is. */
export const readFields = (text: string): Fields => {
  const fields: Fields = Object.create(null);
  for (const [written, value] of new URLSearchParams(text)) {
    const isList = written.endsWith("[]");
    const name = isList ? written.slice(0, -2) : written;
    const before = fields[name];
    if (before === undefined) fields[name] = isList ? [value] : value;
    else if (Array.isArray(before)) before.push(value);
    else fields[name] = [before, value];
  }
  return fields;
};

/** A part of a request and the innermost field that it stands in. */
interface Part {
  field: string;
  value: unknown;
}

const partsOf = ({ field, value }: Part): Part[] => {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.map((item) => ({ field, value: item }));
  return Object.entries(value).flatMap(([name, item]) => [
    { field, value: name },
    { field: name, value: item },
  ]);
};

/** Whether PostgreSQL can store it as it is: no NUL, and no half of a character, which JSON can say and UTF-8 can't. */
const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

/** Refuses what PostgreSQL can't store and what is nested beyond reason. */
export const checkContent = (request: unknown): void => {
  let level: Part[] = [{ field: "", value: request }];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) throw invalid("The request is nested too deeply");
    const unstorable = level.find(({ value }) => typeof value === "string" && !isStorable(value));
    if (unstorable) throw invalid(`${requestPart(unstorable.field)} holds a character that can't be stored`);
    level = level.flatMap(partsOf);
  }
};

const asText = (value: unknown): unknown =>
  typeof value === "number" || typeof value === "boolean" ? String(value) : value;

/** Fields of a form that came as JSON: numbers and booleans as the text a form would hold, null as absent. */
export const fieldsOfJson = (body: unknown): Record<string, unknown> => {
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw invalid("The request needs named fields");
  const fields: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(body)) {
    if (value !== null) fields[name] = Array.isArray(value) ? value.map(asText) : asText(value);
  }
  return fields;
};
