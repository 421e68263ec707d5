import { z } from "zod";
import { counted } from "./counted.ts";
import { requestPart } from "./field-words.ts";

/** Label of the field of an issue: the innermost named path segment, because list items have none. */
const labelOf = ({ path }: Pick<z.core.$ZodRawIssue, "path">): string => {
  const name = path?.findLast((part) => typeof part === "string");
  return requestPart(typeof name === "string" ? name : undefined);
};

/** The message for a field that is missing or does not hold what it `takes`. */
export const fieldTypeError = (issue: z.core.$ZodRawIssue, takes: string): string =>
  issue.input === undefined ? `${labelOf(issue)} is missing` : `${labelOf(issue)} has to be ${takes}`;

const kinds: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a set of fields",
  record: "a set of fields",
};

const tooBig = ({ origin, maximum }: Pick<z.core.$ZodIssueTooBig, "origin" | "maximum">): string => {
  if (origin === "string") return `has at most ${counted(Number(maximum), "character")}`;
  return origin === "array" ? `has at most ${counted(Number(maximum), "value")}` : `has to be at most ${maximum}`;
};

const tooSmall = ({ origin, minimum }: Pick<z.core.$ZodIssueTooSmall, "origin" | "minimum">): string => {
  if (origin !== "string" && origin !== "array") return `has to be at least ${minimum}`;
  if (Number(minimum) <= 1) return "cannot be blank";
  return `has at least ${counted(Number(minimum), origin === "string" ? "character" : "value")}`;
};

/** Describes the error of a field; follows the field's label. */
const fault = (issue: z.core.$ZodRawIssue): string => {
  switch (issue.code) {
    case "invalid_type":
      return kinds[issue.expected] ? `has to be ${kinds[issue.expected]}` : "is not valid";
    case "too_big":
      return tooBig(issue);
    case "too_small":
      return tooSmall(issue);
    case "invalid_value":
      return `has to be ${new Intl.ListFormat("en", { type: "disjunction" }).format(issue.values.map(String))}`;
    default:
      return "is not valid";
  }
};

/** The message for a field whose declaration has none of its own. */
const validationMessage = (issue: z.core.$ZodRawIssue): string => {
  const { takes } = (issue.code === "custom" ? issue.params : undefined) ?? {};
  if (typeof takes === "string") return fieldTypeError(issue, takes);
  return issue.input === undefined ? `${labelOf(issue)} is missing` : `${labelOf(issue)} ${fault(issue)}`;
};

/**
 * Set for the whole process rather than passed to each parse: a caller that forgot it would show users the validator's own messages. A schema's
 * own `error` takes precedence.
 */
z.config({ customError: validationMessage });
