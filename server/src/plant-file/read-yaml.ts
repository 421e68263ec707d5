import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from "yaml";
import type { z } from "zod";

/** Most faults that are told at once. */
const mostFaults = 20;

/** What is wrong with a file, each with its line. Nothing has been changed. */
export class BadFile extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    const rest = faults.length - mostFaults;
    super([...faults.slice(0, mostFaults), ...(rest > 0 ? [`… and ${rest} more`] : [])].join("\n"));
    this.name = "BadFile";
    this.faults = faults;
  }
}

type Path = readonly PropertyKey[];

/** A path as one reads it: `devices / Pump / id`. */
export const writtenPath = (path: Path): string => path.map(String).join(" / ");

/** The sentence about an issue; zod's own name types and not what to write. */
const sentenceOf = (issue: z.core.$ZodIssue): string => {
  if (issue.code === "unrecognized_keys") return `there is no such field: ${issue.keys.join(", ")}`;
  if (issue.code === "invalid_value") return `it is one of ${issue.values.map(String).join(", ")}`;
  if (issue.code === "invalid_type" && issue.input === undefined) return "it is missing";
  if (issue.code === "invalid_key") return issue.issues[0]?.message ?? issue.message;
  return issue.message;
};

/** Where a value is written, for faults that are found later. */
export interface Written<T> {
  file: T;
  /** File, line and path of a value: `plant.yaml:12: devices / Pump / id`. */
  at(path: Path): string;
}

type At = Written<unknown>["at"];

/** Checks what a file says by a schema; throws `BadFile` that names line and path of what it does not understand. */
export const checkedBy = <S extends z.ZodType>(schema: S, said: unknown, at: At): Written<z.output<S>> => {
  const read = schema.safeParse(said, { reportInput: true });
  if (!read.success)
    throw new BadFile(
      read.error.issues.map((issue, number) => {
        if (number >= mostFaults) return "";
        const path = issue.code === "unrecognized_keys" ? [...issue.path, issue.keys[0] ?? ""] : issue.path;
        return `${at(path)}: ${sentenceOf(issue)}`;
      }),
    );
  return { file: read.data, at };
};

/** Reads a YAML file of this schema; throws `BadFile` that names line and path of what it does not understand. */
export const readYamlFile = <S extends z.ZodType>(schema: S, name: string, text: string): Written<z.output<S>> => {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: "error" });
  if (document.errors.length > 0)
    throw new BadFile(document.errors.map(({ linePos, message }) => `${name}:${linePos?.[0].line}: ${message}`));
  const lineOf = ({ range }: Node): number | undefined => range?.[0] && lines.linePos(range[0]).line;
  const child = (of: unknown, part: PropertyKey): { key?: unknown; value: unknown } | undefined => {
    const parent = isAlias(of) ? of.resolve(document) : of;
    if (isSeq(parent)) return { value: parent.items[Number(part)] };
    // A name that is a number is one in YAML, and a text in the path.
    if (isMap(parent)) return parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
    return undefined;
  };
  /** The line of the last part of the path that is written. */
  const lineAt = (path: Path): number => {
    let line = 1;
    let node: unknown = document.contents;
    for (const part of path) {
      const found = child(node, part);
      if (!found) break;
      const written = isNode(found.key) ? found.key : found.value;
      line = (isNode(written) ? lineOf(written) : undefined) ?? line;
      node = found.value;
    }
    return line;
  };
  visit(document, {
    // It would be left out without a word.
    Pair: (_, { key }) => {
      if (isScalar(key) && key.value === "__proto__")
        throw new BadFile([`${name}:${lineOf(key) ?? 1}: nothing can be called __proto__`]);
    },
  });
  return checkedBy(schema, document.toJS() ?? {}, (path) =>
    [`${name}:${lineAt(path)}`, ...(path.length > 0 ? [writtenPath(path)] : [])].join(": "),
  );
};
