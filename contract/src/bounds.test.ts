import { describe, expect, test } from "vitest";
import { z } from "zod";
import { allCalls } from "./all-calls.ts";
import type { Call, Calls } from "./call/call.ts";

interface Described {
  type?: string;
  minimum?: number;
  maximum?: number;
  enum?: unknown[];
  const?: unknown;
  [part: string]: unknown;
}

/** Largest magnitude that a column of whole numbers holds. */
const largest = 2 ** 31;

const isBounded = ({ minimum = -Infinity, maximum = Infinity, enum: words, const: word }: Described): boolean =>
  words !== undefined || word !== undefined || (Math.abs(minimum) <= largest && maximum < largest);

/** Where in a description whole numbers stand that may be larger. */
const unbounded = (at: Described, path: string): string[] => {
  if (at.type === "integer" && !isBounded(at)) return [path];
  return Object.entries(at).flatMap(([name, part]) =>
    typeof part === "object" && part !== null ? unbounded(part as Described, `${path}.${name}`) : [],
  );
};

const describedAs = (schema: z.ZodType): Described =>
  z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Described;

const calls: [string, Call][] = Object.entries(allCalls as Record<string, Calls>).flatMap(([domain, ofDomain]) =>
  Object.entries(ofDomain).map(([name, call]): [string, Call] => [`${domain}.${name}`, call]),
);

describe("a whole number that is sent as one fits the database, or is refused before it gets there", () => {
  test.each(calls.filter(([, { body, payload }]) => body || payload))("%s", (_name, { body, payload }) => {
    const schemas = [body, payload].filter((schema) => schema !== undefined);
    expect(schemas.flatMap((schema) => unbounded(describedAs(schema), ""))).toEqual([]);
  });
});
