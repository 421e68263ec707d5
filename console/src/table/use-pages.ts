import {
  QueryObserver,
  type QueryObserverOptions,
  type UseQueryResult,
  useQueries,
  useQueryClient,
} from "@tanstack/react-query";
import type { Input, Result } from "@telltale/contract/call/call";
import type { CallError } from "@telltale/contract/call/client";
import { type Page, pageSize } from "@telltale/contract/call/paging";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type AnyCall, callQuery } from "../session/use-call.ts";

type Answer = Page<unknown>;

/** The query of a page; pages count from 1. */
export type PageQuery = (page: number) => QueryObserverOptions<Answer, CallError>;

interface Held {
  key: string;
  /** The latest answers of pages 1, 2, 3 … */
  pages: readonly Answer[];
}

/** Merges new answers; returns the same object when there are none. */
const withCome = (held: Held, come: ReadonlyMap<number, Answer>): Held => {
  const fresh = [...come].filter(([page, answer]) => held.pages[page - 1] !== answer);
  if (fresh.length === 0) return held;
  const pages = [...held.pages];
  for (const [page, answer] of fresh) pages[page - 1] = answer;
  return { key: held.key, pages };
};

/** Declared at module level, so that no closure keeps the page list of the time of the request alive. */
const ignore = (): void => undefined;

/** Keeps the pages in the cache while the list is mounted, although most have no observer. */
const useKeptInCache = (key: string, count: number, query: PageQuery): void => {
  const queries = useQueryClient();
  const holds = useRef<{ key: string; ends: (() => void)[] }>({ key, ends: [] });
  useEffect(() => {
    const { current } = holds;
    if (current.key !== key) for (const end of current.ends.splice(0)) end();
    current.key = key;
    while (current.ends.length < count) {
      const options = { ...query(current.ends.length + 1), enabled: false };
      current.ends.push(new QueryObserver(queries, options).subscribe(ignore));
    }
  });
  useEffect(() => {
    const { current } = holds;
    return () => {
      for (const end of current.ends.splice(0)) end();
    };
  }, []);
};

/**
 * The answers of all pages of a list, in order. Only the pages in and next to the view are observed: the cost of a page
 * must not depend on the number of pages. `come` holds the answers of those by page, `count` the number of pages requested.
 */
const useHeldPages = (
  key: string,
  count: number,
  come: ReadonlyMap<number, Answer>,
  query: PageQuery,
): readonly Answer[] => {
  const queries = useQueryClient();
  const [stored, setStored] = useState((): Held => {
    const cached = Array.from({ length: count }, (_, index) =>
      queries.getQueryData<Answer>(query(index + 1).queryKey ?? []),
    );
    return { key, pages: cached.filter((answer) => answer !== undefined) };
  });
  const held = withCome(stored.key === key ? stored : { key, pages: [] }, come);
  if (held !== stored) setStored(held);
  useKeptInCache(key, count, query);
  return held.pages;
};

export type RowOf<C extends AnyCall> = Result<C> extends Page<infer Row> ? Row : never;

/** Connects a table with the pages behind its rows. */
export interface PagesView {
  /** A different key means different filters: the list restarts at its top. */
  key: string;
  /** Reports which rows are on screen; the pages around them are kept up to date, the others when they come back into view. */
  seen: (first: number, last: number) => void;
}

export interface Pages<C extends AnyCall> {
  /** All rows loaded so far; undefined before the first page has arrived, empty when it could not be loaded. */
  rows: RowOf<C>[] | undefined;
  /** Number of rows that match the filters, loaded or not. */
  total: number;
  /** The whole answer of page 1, for data delivered with the rows. */
  first: Result<C> | undefined;
  isPending: boolean;
  /** Why the rows, or more of them, could not be loaded. */
  error: CallError | null;
  /** Loads the next page, if there is one and none is loading. */
  more: () => void;
  hasMore: boolean;
  /** Whether there are more rows and all loaded rows are shown. */
  isReady: boolean;
  isFetchingMore: boolean;
  /** Whether pages are fetched again, and when the latest has arrived, epoch milliseconds; 0 before the first. */
  isRefreshing: boolean;
  loadedAt: number;
  /** Refetches the pages in view and those that failed. */
  refetch: () => void;
  view: PagesView;
}

interface Position {
  key: string;
  /** Number of pages requested. */
  count: number;
  /** First and last page in view. */
  from: number;
  to: number;
}

const none: never[] = [];

const startOf = (key: string): Position => ({ key, count: 1, from: 1, to: 1 });

/** Page 1 is always kept up to date, because new rows appear there; the others while in or next to the view. */
const isKept = (page: number, { from, to, count }: Position) =>
  page === 1 || page === count || (page >= from - 1 && page <= to + 1);

/** `loaded` returns how many pages are already cached, so that a list has its previous length when the user comes back to it. */
const usePosition = (key: string, loaded: () => number) => {
  const [stored, setStored] = useState(() => ({ ...startOf(key), count: Math.max(1, loaded()) }));
  const position = stored.key === key ? stored : startOf(key);
  const change = useCallback(
    (next: (position: Position) => Position) => setStored((old) => next(old.key === key ? old : startOf(key))),
    [key],
  );
  return [position, change] as const;
};

/** The pages that are kept up to date. */
const keptPages = (position: Position): number[] =>
  Array.from({ length: position.count }, (_, index) => index + 1).filter((page) => isKept(page, position));

const together = (results: UseQueryResult<Answer, CallError>[]) => {
  const last = results.at(-1);
  return {
    // A Map rather than an array: the query library compares arrays element by element with the previous result, at the cost of all rows.
    answers: new Map(results.flatMap(({ data }) => (data ? [[data.page, data] as const] : []))),
    totalPages: last?.data?.total_pages ?? results[0]?.data?.total_pages ?? 0,
    error: results.find(({ error, data }) => error && !data)?.error ?? null,
    isRefreshing: results.some(({ isRefetching }) => isRefetching),
    loadedAt: Math.max(0, ...results.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    isLastLoaded: last?.data !== undefined,
    isLastFetching: last?.data === undefined && last?.fetchStatus === "fetching",
    refetch: () => {
      for (const each of results) void each.refetch();
    },
  };
};

/** Refetched pages arrive one by one: the rows change only when all have arrived, so that no row is shown twice or missed. */
const useSettled = <R>(key: string, rows: R, isRefreshing: boolean): R => {
  const [settled, setSettled] = useState({ key, rows });
  const isCurrent = !isRefreshing || settled.key !== key;
  if (isCurrent && settled.rows !== rows) setSettled({ key, rows });
  return isCurrent ? rows : settled.rows;
};

/**
 * Any paged call, page after page. Each page is a query of its own, so that a change refetches the pages in view
 * and not all that were ever scrolled through.
 */
export const usePages = <C extends AnyCall>(
  call: C,
  filters: Partial<Input<C>>,
  { size = pageSize }: { size?: number } = {},
): Pages<C> => {
  const key = JSON.stringify([call.path, filters, size]);
  const queries = useQueryClient();
  const pageQuery = (page: number) => callQuery(call, { ...filters, page, size } as Partial<Input<C>>);
  const [position, move] = usePosition(key, () => {
    let count = 0;
    while (queries.getQueryData(pageQuery(count + 1).queryKey)) count += 1;
    return count;
  });
  const watched = useQueries({
    // Another page's rows must not be used as placeholder data.
    queries: keptPages(position).map((page) => ({ ...pageQuery(page), placeholderData: undefined })),
    combine: together as never,
  }) as unknown as ReturnType<typeof together>;
  const held = useHeldPages(key, position.count, watched.answers, pageQuery as unknown as PageQuery);
  const all = useMemo(
    () => (held.length > 0 ? { rows: held.flatMap(({ data }) => data), first: held[0] } : {}),
    [held],
  );

  const shown: typeof all = useSettled(key, all, watched.isRefreshing);
  const { rows, first } = shown;
  const hasMore = watched.isLastLoaded && position.count < watched.totalPages;
  const seen = useCallback(
    (first: number, last: number) => {
      const [from, to] = [Math.floor(first / size) + 1, Math.floor(last / size) + 1];
      move((old) => (old.from === from && old.to === to ? old : { ...old, from, to }));
    },
    [move, size],
  );
  const view = useMemo(() => ({ key, seen }), [key, seen]);
  return {
    rows: (rows ?? (watched.error ? none : undefined)) as RowOf<C>[] | undefined,
    total: first?.total ?? 0,
    first: first as Result<C> | undefined,
    isPending: held.length === 0 && watched.error === null,
    error: watched.error,
    // While the rows of an arrived page are held back, the end of the shown rows does not mean that the next page is needed.
    isReady: hasMore && shown === all,
    more: () => {
      if (hasMore && shown === all) move((old) => ({ ...old, count: position.count + 1 }));
    },
    hasMore,
    isFetchingMore: position.count > 1 && watched.isLastFetching,
    isRefreshing: watched.isRefreshing,
    loadedAt: watched.loadedAt,
    refetch: watched.refetch,
    view,
  };
};
