/** What a page's address says after the question mark: texts, and lists where a name comes several times. */
export type Search = Record<string, string | string[]>;

/** Reads `?status=1&status=2&deviceName=pump` as plain texts, as the calls of the contract write them. */
export const parseSearch = (query: string): Search => {
  const parameters = new URLSearchParams(query);
  const search: Search = {};
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name);
    search[name] = values.length > 1 ? values : (values[0] ?? "");
  }
  return search;
};

/** The reverse of `parseSearch`; what is undefined or null is left out. */
export const stringifySearch = (search: Record<string, unknown>): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined && item !== null) parameters.append(name, String(item));
  const query = parameters.toString();
  return query === "" ? "" : `?${query}`;
};
