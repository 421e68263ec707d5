import { QueryObserver, type QueryObserverOptions, useQueryClient } from "@tanstack/react-query";
import type { CallError } from "@telltale/contract/client";
import type { Page } from "@telltale/contract/paging";
import { useEffect, useRef, useState } from "react";

type Answer = Page<unknown>;

/** The query of a page; pages count from 1. */
export type PageQuery = (page: number) => QueryObserverOptions<Answer, CallError>;

interface Held {
  key: string;
  /** The answers of pages 1, 2, 3 … as they were last. */
  pages: readonly Answer[];
}

/** With the answers that came in; the same object when there is no new one. */
const withCome = (held: Held, come: ReadonlyMap<number, Answer>): Held => {
  const fresh = [...come].filter(([page, answer]) => held.pages[page - 1] !== answer);
  if (fresh.length === 0) return held;
  const pages = [...held.pages];
  for (const [page, answer] of fresh) pages[page - 1] = answer;
  return { key: held.key, pages };
};

/** Stands outside, so that what keeps a page does not keep all that was known when it was asked for. */
const ignore = (): void => undefined;

/** Holds the pages in the cache while the list is shown, although nobody looks at most of them. */
const useKeptInCache = (key: string, count: number, query: PageQuery): void => {
  const queries = useQueryClient();
  const holds = useRef({ key, ends: [] as (() => void)[] });
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
 * The answers of all pages of a list, in order. Only the pages in and next to the view are watched: what a page more
 * costs must not depend on how many there are. `come` are the answers of those by page, `count` how many pages were asked for.
 */
export const useHeldPages = (
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
