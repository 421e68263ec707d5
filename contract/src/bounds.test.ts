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

/** Exclusive upper bound of a 32-bit integer column. */
const largest = 2 ** 31;

const isBounded = ({ minimum = -Infinity, maximum = Infinity, enum: words, const: word }: Described): boolean =>
  words !== undefined || word !== undefined || (Math.abs(minimum) <= largest && maximum < largest);

/** Paths of the integers in an OpenAPI schema that may exceed 32 bits. */
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

describe("every integer of a request is limited to 32 bits by its schema", () => {
  test.each(calls.filter(([, { body, payload }]) => body || payload))("%s", (_name, { body, payload }) => {
    const schemas = [body, payload].filter((schema) => schema !== undefined);
    expect(schemas.flatMap((schema) => unbounded(describedAs(schema), ""))).toEqual([]);
  });
});
