import { useContext, useMemo } from "react";
import { PageZone } from "../../ui/format/time.ts";
import type { Search } from "../../ui/router/address.ts";
import { useNavigate, useWholeSearch } from "../../ui/router/hooks.ts";
import type { Filter } from "./filters.ts";

/** Filters by their name in the page's address. */
export type FilterSet = Readonly<Record<string, Filter>>;

type FieldsOf<F> = F extends Filter<infer Fields> ? Fields : never;
type Together<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer All) => void ? All : never;

/** One filter with its active values. */
export interface FilterInForce {
  filter: Filter;
  values: readonly string[];
  /** Sets the active values; none removes the filter. */
  set: (values: readonly string[]) => void;
}

/** A page's filters with their active values. */
export interface Filters<S extends FilterSet> {
  /** Each filter, for its column. */
  by: { readonly [name in keyof S]: FilterInForce };
  /** The fields for the call's query. */
  values: Together<FieldsOf<S[keyof S]>>;
  isActive: boolean;
  clear: () => void;
}

const valuesIn = (search: Search, name: string, { accepts }: Filter): readonly string[] => {
  const found = search[name];
  const all = (Array.isArray(found) ? found : [found])
    .filter((value) => value !== undefined && value !== null)
    .map(String);
  return [...new Set(all)].filter(accepts);
};

/** An address without empty filters; a single value is written without a list. */
const withValues = (search: Search, name: string, values: readonly string[]): Search => {
  const { [name]: _, ...others } = search;
  if (values.length === 0) return others;
  const [value = "", ...more] = values;
  return { ...others, [name]: more.length === 0 ? value : [...values] };
};

/**
 * Filters stored in the page's address, so that reload, back and a shared link keep them. `set` must be the same object at each render: declare it
 * outside of the component.
 */
export const useFilters = <S extends FilterSet>(set: S): Filters<S> => {
  const search = useWholeSearch();
  const navigate = useNavigate();
  const zone = useContext(PageZone);
  return useMemo(() => {
    const change = (next: (search: Search) => Search): void => {
      void navigate({ to: ".", search: next, replace: true, resetScroll: false });
    };
    const inForce = Object.entries(set).map(([name, filter]) => {
      const values = valuesIn(search, name, filter);
      return [
        name,
        { filter, values, set: (next: readonly string[]) => change((old) => withValues(old, name, next)) },
      ] as const;
    });
    return {
      by: Object.fromEntries(inForce) as Filters<S>["by"],
      values: Object.assign({}, ...inForce.map(([, { filter, values }]) => filter.fields(values, zone))),
      isActive: inForce.some(([, { values }]) => values.length > 0),
      clear: () => change((old) => Object.keys(set).reduce((rest, name) => withValues(rest, name, []), old)),
    };
  }, [search, navigate, set, zone]);
};
