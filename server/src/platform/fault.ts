/** Whether a value is a non-null object. */
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** A field of an unknown value; undefined when the value has no fields. */
export const fieldOf = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined);

/** The code of an error: of the operating system (`ENOENT`), of Node, or PostgreSQL's SQLSTATE. */
export const codeOf = (fault: unknown): string | undefined => {
  const code = fieldOf(fault, "code");
  return typeof code === "string" ? code : undefined;
};

/** Wraps a thrown value that is not an Error. */
export const asError = (fault: unknown): Error =>
  fault instanceof Error ? fault : new Error(String(fault), { cause: fault });
