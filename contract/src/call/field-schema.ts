import { z } from "zod";
import { namesText } from "./wire.ts";

/** A JSON Schema. */
export type Json = Record<string, unknown>;

type Schema = z.core.$ZodType;

/** Names of the values of an enumeration of numbers. */
const withNames = (schema: Schema): Json =>
  schema instanceof z.ZodEnum && Object.values(schema.enum).every((value) => typeof value === "number")
    ? { description: namesText(schema.enum) }
    : {};

const described = (schema: z.ZodType, meaning: (schema: Schema) => Json | undefined): Json => {
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
const isRepeated = (schema: Schema): boolean =>
  schema instanceof z.ZodPipe ? isRepeated(schema.in) : schema instanceof z.ZodUnion;

/** What the text of a coded field means: its number with bounds, its allowed values, its time, its list; undefined for any other schema. */
const meaningOf = (schema: Schema): Json | undefined => {
  if (schema instanceof z.ZodDefault) return { default: schema.def.defaultValue };
  if (!(schema instanceof z.ZodPipe)) return undefined;
  const { out } = schema;
  if (out instanceof z.ZodDate) return { type: "string", format: "date-time" };
  // Numbers that are written as one text have a schema that only the program can check.
  if (!(out instanceof z.ZodType) || out instanceof z.ZodCustom) return undefined;
  const meant = fieldSchema(out);
  return out instanceof z.ZodArray && !isRepeated(schema.in)
    ? { type: "string", description: "Joined by commas", contains: meant.items }
    : meant;
};

/** The schema of an answer: what is coded is described by its text. */
export const answerSchema = (schema: z.ZodType): Json => described(schema, () => undefined);

/** The schema of a field of a query or body: the values it takes, rather than the text that carries them. */
export const fieldSchema = (schema: z.ZodType): Json => described(schema, meaningOf);
