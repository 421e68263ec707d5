/**
 * Makes one schema for each set of arguments instead of one for each field: schemas do not change, and the hundreds of fields that are an id, a time or a
 * name would each hold 6 kB for as long as the program runs.
 */
export const madeOnce = <A extends readonly (string | number | undefined)[], S>(
  make: (...args: A) => S,
): ((...args: A) => S) => {
  const made = new Map<string, S>();
  return (...args) => {
    const key = JSON.stringify(args);
    const schema = made.get(key) ?? make(...args);
    made.set(key, schema);
    return schema;
  };
};
