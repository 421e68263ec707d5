import { isMap, isNode, isScalar, LineCounter, type Node, parseDocument } from "yaml";
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
  const keyNode = (path: Path): Node | undefined => {
    const parent = path.length > 1 ? document.getIn(path.slice(0, -1), true) : document.contents;
    const pair = isMap(parent) ? parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1)) : undefined;
    return isScalar(pair?.key) ? pair.key : undefined;
  };
  const lineOf = (path: Path): number => {
    for (let length = path.length; length > 0; length--) {
      const part = path.slice(0, length);
      const value = document.getIn(part, true);
      const node = keyNode(part) ?? (isNode(value) ? value : undefined);
      if (node?.range) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };
  return checkedBy(schema, document.toJS() ?? {}, (path) =>
    [`${name}:${lineOf(path)}`, ...(path.length > 0 ? [writtenPath(path)] : [])].join(": "),
  );
};
