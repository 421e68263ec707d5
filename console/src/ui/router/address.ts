import type { HistoryLocation, HistoryState } from "@tanstack/history";

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
export const stringifySearch = (search: SearchInput): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined && item !== null) parameters.append(name, String(item));
  const query = parameters.toString();
  return query === "" ? "" : `?${query}`;
};

/** A page's address with what its entry in the browser's history carries. */
export interface Location {
  /** Path, query and fragment. */
  href: string;
  pathname: string;
  search: Search;
  /** With its `#`; empty without one. */
  hash: string;
  /** What a navigation gave along; survives a reload. */
  state: HistoryState;
  /** Identifies the visit: the history entry, or the two that a page has when something was open over it. */
  key: string;
}

export const locationOf = ({ href, pathname, search, hash, state }: HistoryLocation): Location => {
  const { key = "", __TSR_key, __TSR_index, overlayOf, ...given } = state;
  return { href, pathname, search: parseSearch(search), hash, state: given, key: overlayOf ?? key };
};

/** Where a link or navigation leads. */
export interface Target {
  /** A path, or `.` for the page that is open. */
  to?: string | undefined;
  /** Query parameters; all others are dropped. `true` keeps those that are there. */
  search?: SearchInput | ((now: Search) => SearchInput) | true | undefined;
  /** Fragment, without its `#`. */
  hash?: string | undefined;
  /** A complete address of the console instead of the parts above. */
  href?: string | undefined;
  state?: HistoryState | undefined;
}

/** The address of a target, seen from the page that is open. */
export const hrefOf = ({ to = ".", search = {}, hash, href }: Target, from: Location): string => {
  if (href !== undefined) return href;
  const path = to === "." ? from.pathname : to;
  const wanted = search === true ? from.search : typeof search === "function" ? search(from.search) : search;
  return `${path}${stringifySearch(wanted)}${hash === undefined ? "" : `#${hash}`}`;
};
