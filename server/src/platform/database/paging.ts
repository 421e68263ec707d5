import { countedAhead, type Page } from "@telltale/contract/call/paging";

/** The requested page of a list; `page` counts from 1. */
export interface PageRequest {
  page: number;
  size: number;
}

/** Most rows that a long list counts: enough to page on, without counting millions. */
export const countLimit = ({ page, size }: PageRequest): number => page * size + countedAhead;

/** Number of rows before the requested page. */
export const offsetOf = ({ page, size }: PageRequest): number => (page - 1) * size;

/** A page as returned by calls. */
export const pageOf = <T>(data: T[], total: number, { page, size }: PageRequest): Page<T> => ({
  data,
  page,
  total_pages: Math.ceil(total / size),
  total,
});

/** Applies a filter only when it is given; an empty text counts as not given. `query.$call(when(from, (q, from) => q.where("time", ">=", from)))` */
export const when =
  <Q, T>(given: T | "" | null | undefined, narrow: (query: Q, given: T) => Q) =>
  (query: Q): Q =>
    given === undefined || given === null || given === "" ? query : narrow(query, given);

/** ILIKE pattern that finds `text` anywhere, with its wildcards escaped. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`;
