import { z } from "zod";
import { namesText } from "./wire.ts";

/** A JSON Schema. */
export type Json = Record<string, unknown>;

/** A schema with its definition, which an override of the description gets. */
type Described = z.core.$ZodTypes;

/** Names of the values of an enumeration of numbers. */
const withNames = ({ _zod: { def } }: Described): Json => {
  if (def.type !== "enum" || !Object.values(def.entries).every((value) => typeof value === "number")) return {};
  return { description: namesText(def.entries) };
};

const described = (schema: z.ZodType, meaning: (schema: Described) => Json | undefined): Json => {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      const meant = meaning(zodSchema);
      // What describes the text says nothing beside what the text means.
      if (meant?.type !== undefined) for (const key of ["anyOf", "pattern"]) delete jsonSchema[key];
      Object.assign(jsonSchema, withNames(zodSchema), meant);
    },
  });
  return json;
};

/** Whether the text side of a codec is a list of texts rather than a single one. */
const isRepeated = (schema: z.core.$ZodType): boolean => {
  const { def } = (schema as Described)._zod;
  return def.type === "pipe" ? isRepeated(def.in) : def.type === "union";
};

/** What the text of a coded field means: its number with bounds, its allowed values, its time, its list; undefined for any other schema. */
const meaningOf = ({ _zod: { def } }: Described): Json | undefined => {
  if (def.type === "default") return { default: def.defaultValue };
  if (def.type !== "pipe") return undefined;
  const out = def.out as Described & z.ZodType;
  const inner = out._zod.def;
  switch (inner.type) {
    case "date":
      return { type: "string", format: "date-time" };
    case "array": {
      const list = fieldSchema(out);
      return isRepeated(def.in) ? list : { type: "string", description: "Joined by commas", contains: list.items };
    }
    case "number":
    case "literal":
    case "enum":
    case "string":
    case "optional":
    case "pipe":
      return fieldSchema(out);
    default:
      return undefined;
  }
};

/** The schema of an answer: what is coded is described by its text. */
export const answerSchema = (schema: z.ZodType): Json => described(schema, () => undefined);

/** The schema of a field of a query or body: the values it takes, rather than the text that carries them. */
export const fieldSchema = (schema: z.ZodType): Json => described(schema, meaningOf);
