import { useSearch } from "@tanstack/react-router";
import { useMemo } from "react";

/** Query parameters of a page's address: texts, and lists where a name is repeated. */
export type Search = Record<string, string | string[]>;

/** Query parameters of a link or navigation; undefined and null are omitted. */
export type SearchInput = Readonly<Record<string, SearchValue | readonly SearchValue[]>>;
type SearchValue = string | number | boolean | null | undefined;

/** Parses `?status=1&status=2&deviceName=pump` as plain texts, as the contract's calls encode them. */
export const parseSearch = (query: string): Search => {
  const parameters = new URLSearchParams(query);
  const search: Search = {};
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name);
    search[name] = values.length > 1 ? values : (values[0] ?? "");
  }
  return search;
};

/** The inverse of `parseSearch`; undefined and null are omitted. */
export const stringifySearch = (search: Readonly<Record<string, unknown>>): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined && item !== null) parameters.append(name, String(item));
  const query = parameters.toString();
  return query === "" ? "" : `?${query}`;
};

type Parameter = Search[string] | undefined;

/**
 * The parameters of a page, each with its reader. Unlike the router's `validateSearch`, reading does not change the address: invalid
 * and unknown parameters stay in it.
 */
export type SearchSchema = Readonly<Record<string, (value: Parameter) => unknown>>;

/** The parsed parameters of a page. */
export type SearchOf<S extends SearchSchema> = { readonly [name in keyof S]: ReturnType<S[name]> };

/** Reads a text; undefined when it is missing or repeated. */
export const text = (value: Parameter): string | undefined => (typeof value === "string" ? value : undefined);

/** Reads a text; empty when it is missing. */
export const textOf = (value: Parameter): string => String(value ?? "");

/** Whether the parameter is present, with or without a value. */
export const isGiven = (value: Parameter): boolean => value !== undefined;

/** Reads an id; undefined when it is missing or invalid. */
export const id = (value: Parameter): number | undefined => {
  const number = Number(value);
  return Number.isInteger(number) && number > 0 ? number : undefined;
};

/** All parameters of the open page's address; `validateSearch` of the root route has converted them to texts. */
export const useWholeSearch = (): Search => useSearch({ strict: false });

/** The parameters of the open page, read by the page's schema, which must be declared outside of the component. */
export const useSearchOf = <S extends SearchSchema>(schema: S): SearchOf<S> => {
  const search = useWholeSearch();
  return useMemo(() => {
    const read = Object.entries(schema).map(([name, reader]) => [name, reader(search[name])]);
    // The entries have the schema's names; `Object.fromEntries` loses that type.
    return Object.fromEntries(read) as SearchOf<S>;
  }, [search, schema]);
};
