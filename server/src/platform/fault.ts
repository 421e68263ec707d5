/** Whether a value is an object whose fields can be read. */
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** A field of what came from outside or was thrown: undefined where the value has no fields. */
export const fieldOf = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined);

/** The code of a fault: of the operating system (`ENOENT`), of Node, or PostgreSQL's SQLSTATE. */
export const codeOf = (fault: unknown): string | undefined => {
  const code = fieldOf(fault, "code");
  return typeof code === "string" ? code : undefined;
};

/** What was thrown, as an error: JavaScript lets anything be thrown. */
export const asError = (fault: unknown): Error =>
  fault instanceof Error ? fault : new Error(String(fault), { cause: fault });
