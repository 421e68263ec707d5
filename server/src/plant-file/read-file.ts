import { isMap, isNode, isScalar, LineCounter, type Node, parseDocument } from "yaml";
import type { z } from "zod";

/** What is wrong with a YAML file, each with its line. Nothing has been changed. */
export class BadYamlFile extends Error {
  constructor(faults: readonly string[]) {
    super(faults.join("\n"));
    this.name = "BadYamlFile";
  }
}

/** Most faults that are told at once. */
const mostFaults = 20;

const written = (path: readonly PropertyKey[]): string => path.map(String).join(" / ");

/** The sentence about an issue; zod's own name types and not what to write. */
const sentenceOf = (issue: z.core.$ZodIssue): string => {
  if (issue.code === "unrecognized_keys") return `there is no such field: ${issue.keys.join(", ")}`;
  if (issue.code === "invalid_value") return `it is one of ${issue.values.map(String).join(", ")}`;
  if (issue.code === "invalid_type" && issue.input === undefined) return "it is missing";
  return issue.message;
};

/** Where a value is written, for faults that are found later. */
export interface Written<T> {
  file: T;
  /** File, line and path of a value: `plant.yaml:12: devices / Pump / id`. */
  at(path: readonly PropertyKey[]): string;
}

/** Reads a YAML file of this schema; throws `BadYamlFile` that names line and path of what it does not understand. */
export const readYamlFile = <S extends z.ZodType>(schema: S, name: string, text: string): Written<z.output<S>> => {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  if (document.errors.length > 0)
    throw new BadYamlFile(
      document.errors.slice(0, mostFaults).map(({ linePos, message }) => `${name}:${linePos?.[0].line}: ${message}`),
    );
  const keyNode = (path: readonly PropertyKey[]): Node | undefined => {
    const parent = path.length > 1 ? document.getIn(path.slice(0, -1), true) : document.contents;
    const pair = isMap(parent) ? parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1)) : undefined;
    return isScalar(pair?.key) ? pair.key : undefined;
  };
  const lineOf = (path: readonly PropertyKey[]): number => {
    for (let length = path.length; length > 0; length--) {
      const part = path.slice(0, length);
      const value = document.getIn(part, true);
      const node = keyNode(part) ?? (isNode(value) ? value : undefined);
      if (node?.range) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };
  const at = (path: readonly PropertyKey[]): string => `${name}:${lineOf(path)}: ${written(path)}`;
  const read = schema.safeParse(document.toJS() ?? {}, { reportInput: true });
  if (read.success) return { file: read.data, at };
  const faults = read.error.issues.slice(0, mostFaults).map((issue) => {
    const path = issue.code === "unrecognized_keys" ? [...issue.path, issue.keys[0] ?? ""] : issue.path;
    return `${at(path)}: ${sentenceOf(issue)}`;
  });
  throw new BadYamlFile(faults);
};
