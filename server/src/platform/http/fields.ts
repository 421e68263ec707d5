import { requestPart } from "@telltale/contract/text/field-words";
import { invalid } from "./api-error.ts";

/** Text fields by name; a repeated field is a list. Without a prototype, so that no field name has a meaning in JavaScript. */
export type Fields = Record<string, string | string[]>;

/** Deepest nesting, more than any payload of the contract needs; deeper values would overflow the stack of recursive code. */
const deepest = 32;

/** Parses a query string or form: `a=1&a=2` and `a[]=1` are lists. Never throws; what cannot be decoded is left unchanged. */
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

/** A value in a request, with the innermost field that contains it. */
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

/** Whether PostgreSQL can store the text: no NUL and no lone surrogate, which JSON allows but UTF-8 cannot encode. */
const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

/** Rejects requests with text that PostgreSQL cannot store, or nested too deeply. */
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

/** Converts a JSON body to form fields: numbers and booleans as text, null as absent. */
export const fieldsOfJson = (body: unknown): Record<string, unknown> => {
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw invalid("The request needs named fields");
  const fields: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(body)) {
    if (value !== null) fields[name] = Array.isArray(value) ? value.map(asText) : asText(value);
  }
  return fields;
};
