import type { Page } from "@telltale/contract/call/paging";

/** Which page of a list is asked for; `page` counts from 1. */
export interface PageAsked {
  page: number;
  size: number;
}

/** Rows beyond the asked page that a long list's count still tells apart; past them the total is a lower bound. */
const countedAhead = 10_000;

/** How many rows a long list need count at most: the reader can always go on, and nobody waits for a million to be counted. */
export const countLimit = ({ page, size }: PageAsked): number => page * size + countedAhead;

/** Rows to skip before the asked page. */
export const offsetOf = ({ page, size }: PageAsked): number => (page - 1) * size;

/** A page as the calls answer it. */
export const pageOf = <T>(data: T[], total: number, { page, size }: PageAsked): Page<T> => ({
  data,
  page,
  total_pages: Math.ceil(total / size),
  total,
});

/** A query's filter that may be left out: an empty text counts as left out. `query.$call(when(from, (q, from) => q.where("time", ">=", from)))` */
export const when =
  <Q, T>(given: T | "" | null | undefined, narrow: (query: Q, given: T) => Q) =>
  (query: Q): Q =>
    given === undefined || given === null || given === "" ? query : narrow(query, given);

/** A pattern for ILIKE that finds `text` anywhere, its own wildcards taken literally. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`;
