import { useSearch } from "@tanstack/react-router";
import { useMemo } from "react";

/** What a page's address says after the question mark: texts, and lists where a name comes several times. */
export type Search = Record<string, string | string[]>;

/** What a link or a navigation puts there; what is undefined or null is left out. */
export type SearchInput = Readonly<Record<string, SearchValue | readonly SearchValue[]>>;
type SearchValue = string | number | boolean | null | undefined;

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
 * The parameters that a page takes, each with its reader. Unlike a `validateSearch` of the router, reading changes nothing in the address: what is
 * wrong or unknown stays there.
 */
export type SearchSchema = Readonly<Record<string, (value: Parameter) => unknown>>;

/** What a page is given of its address. */
export type SearchOf<S extends SearchSchema> = { readonly [name in keyof S]: ReturnType<S[name]> };

/** A text; undefined where there is none, or several. */
export const text = (value: Parameter): string | undefined => (typeof value === "string" ? value : undefined);

/** A text; empty where there is none. */
export const words = (value: Parameter): string => String(value ?? "");

/** Whether the parameter is there at all, with or without a value. */
export const isGiven = (value: Parameter): boolean => value !== undefined;

/** An id; undefined where there is none, or what is no id. */
export const id = (value: Parameter): number | undefined => {
  const number = Number(value);
  return Number.isInteger(number) && number > 0 ? number : undefined;
};

/** All that the address of the open page says; `validateSearch` of the root route has made texts of it. */
export const useWholeSearch = (): Search => useSearch({ strict: false });

/** What the address of the open page says, by the page's schema, which stands outside of the component. */
export const useSearchOf = <S extends SearchSchema>(schema: S): SearchOf<S> => {
  const search = useWholeSearch();
  return useMemo(() => {
    const read = Object.entries(schema).map(([name, reader]) => [name, reader(search[name])]);
    // The entries have the schema's names, which `Object.fromEntries` forgets.
    return Object.fromEntries(read) as SearchOf<S>;
  }, [search, schema]);
};
