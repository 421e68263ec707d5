import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { PagesView } from "./use-pages.ts";
import { useVirtualizer, type WindowVirtualizer } from "./use-virtualizer.ts";

/** The rendered part of a long list: rows `from` to `to`, with padding for the rest above and below. */
export interface WindowRows {
  items: readonly { index: number; key: string }[];
  before: number;
  after: number;
  measure: (row: HTMLElement | null) => void;
}

/** Offset of the list in the page; it changes when something above it expands or collapses. */
const useStart = (list: RefObject<HTMLElement | null>): number => {
  const [start, setStart] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      if (list.current) setStart(Math.round(list.current.getBoundingClientRect().top + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [list]);
  return start;
};

/** Scrolls to the start of a list; to the top of the page when the list starts on the first screen, so that title and tags are visible. */
const goToStart = (start: number): void => {
  window.scrollTo({ top: start < window.innerHeight ? 0 : start - 120 });
};

/** Keeps the first row in view in place when rows are inserted above it. */
const useAnchor = (virtualizer: WindowVirtualizer | undefined, keys: readonly string[], start: number): void => {
  const anchor = useRef<{ keys: readonly string[]; key: string; top: number }>(undefined);
  useLayoutEffect(() => {
    if (!virtualizer) return;
    const held = anchor.current;
    const places = virtualizer.measurementsCache;
    const isMoved = held !== undefined && held.keys !== keys && window.scrollY > start;
    const now = isMoved ? places[keys.indexOf(held.key)] : undefined;
    if (held && now && now.start !== held.top) window.scrollBy({ top: now.start - held.top, behavior: "instant" });
    const first = places[virtualizer.range?.startIndex ?? 0];
    const key = first && keys[first.index];
    anchor.current = key === undefined ? undefined : { keys, key, top: first?.start ?? 0 };
  });
};

const useReportedView = (range: readonly [first: number, last: number], view: PagesView | undefined, start: number) => {
  const [first, last] = range;
  useEffect(() => view?.seen(first, last), [view, first, last]);
  const shown = useRef(view?.key);
  useEffect(() => {
    if (shown.current !== view?.key) goToStart(start);
    shown.current = view?.key;
  }, [view?.key, start]);
};

/** Lists that were left, with the heights of their rows; of about twenty. */
const left = new Map<string, readonly { size: number }[]>();

const leave = (key: string, { measurementsCache }: WindowVirtualizer): void => {
  if (left.size > 20) left.clear();
  left.set(key, measurementsCache);
};

/** Keeps the heights of a list that is left: with estimated ones it would not be as long, and what was in view would stand elsewhere. */
const useLeftHeights = (virtualizer: WindowVirtualizer | undefined, key: string | undefined): void =>
  useEffect(() => () => void (virtualizer && key && leave(key, virtualizer)), [virtualizer, key]);

/** Heights of the rows that are shown when the list becomes a long one: were those above estimated, what is in view would move. */
const useShownHeights = (list: RefObject<HTMLElement | null>): ((index: number) => number | undefined) => {
  const shown = useRef<readonly number[]>(undefined);
  return (index) => {
    shown.current ??= Array.from(
      list.current?.querySelectorAll(":scope > tr") ?? [],
      (row) => row.getBoundingClientRect().height,
    );
    return shown.current[index];
  };
};

const unmeasured = (): void => undefined;

/** Virtualises a list that scrolls with the page. `height` is a row's estimated height in pixels. */
export const useWindowRows = (
  list: RefObject<HTMLElement | null>,
  keys: readonly string[],
  height: number,
  view: PagesView | undefined,
): WindowRows => {
  const start = useStart(list);
  const heights = left.get(view?.key ?? "");
  const shownHeight = useShownHeights(list);
  const virtualizer = useVirtualizer({
    count: keys.length,
    estimateSize: (index) => heights?.[index]?.size ?? shownHeight(index) ?? height,
    // A new function would make the virtualizer measure all rows again.
    getItemKey: useCallback((index: number) => keys[index] ?? index, [keys]),
    scrollMargin: start,
    overscan: 12,
  });
  useLeftHeights(virtualizer, view?.key);
  useAnchor(virtualizer, keys, start);
  const { startIndex = 0, endIndex = 0 } = virtualizer?.range ?? {};
  useReportedView(virtualizer ? [startIndex, endIndex] : [0, Math.max(0, keys.length - 1)], view, start);
  if (!virtualizer)
    return { items: keys.map((key, index) => ({ key, index })), before: 0, after: 0, measure: unmeasured };
  const shown = virtualizer.getVirtualItems();
  const [top, bottom] = [shown[0]?.start ?? start, shown.at(-1)?.end ?? start];
  return {
    items: shown.map(({ index }) => ({ index, key: keys[index] ?? String(index) })),
    before: top - start,
    after: Math.max(0, virtualizer.getTotalSize() - (bottom - start)),
    measure: virtualizer.measureElement,
  };
};
