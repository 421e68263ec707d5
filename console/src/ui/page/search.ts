import { useMemo } from "react";
import type { Search } from "../router/address.ts";
import { useWholeSearch } from "../router/hooks.ts";

type Parameter = Search[string] | undefined;

/**
 * The parameters of a page, each with its reader. Reading does not change the address: invalid and unknown parameters stay in it.
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

/** The parameters of the open page, read by the page's schema, which must be declared outside of the component. */
export const useSearchOf = <S extends SearchSchema>(schema: S): SearchOf<S> => {
  const search = useWholeSearch();
  return useMemo(() => {
    const read = Object.entries(schema).map(([name, reader]) => [name, reader(search[name])]);
    // The entries have the schema's names; `Object.fromEntries` loses that type.
    return Object.fromEntries(read) as SearchOf<S>;
  }, [search, schema]);
};
