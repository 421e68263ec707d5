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

/** Faults of parts of a work that do not stop each other. */
export interface Faults {
  /** Does a part, which is named in the words of a log; returns undefined when it fails. */
  of<T>(part: string, work: () => Promise<T>): Promise<T | undefined>;
  /** Ends the work: throws the first fault, if there is one. */
  throwFirst(): void;
}

/** Begins a work whose parts go on when one of them fails, so that one device does not hold up the others. */
export const collectFaults = (): Faults => {
  const faults: Error[] = [];
  return {
    of: async (part, work) => {
      try {
        return await work();
      } catch (thrown) {
        const fault = asError(thrown);
        faults.push(new Error(`${part}: ${fault.message}`, { cause: fault }));
        return undefined;
      }
    },
    throwFirst: () => {
      const [first, ...others] = faults;
      if (!first) return;
      if (others.length > 0) first.message += ` (and ${others.length} more)`;
      throw first;
    },
  };
};
