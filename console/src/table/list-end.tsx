import { Loader } from "@mantine/core";
import { type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import { EmptyState, ErrorState } from "../ui/page/message.tsx";
import classes from "./list-end.module.css";

/** The part of `usePages` that the table and its end show. */
export interface ListedPages<T> {
  rows: readonly T[] | undefined;
  error: Error | null;
  hasMore: boolean;
  isReady: boolean;
  isFetchingMore: boolean;
  more: () => void;
  refetch: () => void;
}

interface ListEndProps {
  pages: ListedPages<unknown>;
  /** What there is none of: 'No alerts match these filters'. */
  empty: ReactNode;
  /** Takes the filters away; only given while there are any. */
  onClear?: (() => void) | undefined;
}

/** How far under the screen the next page is asked for, so that reading on needs no wait. */
const ahead = "600px";

/** Asks for more when it comes near the screen. */
const Watch = ({ onNear }: { onNear: () => void }) => {
  const mark = useRef<HTMLDivElement>(null);
  const near = useEffectEvent(onNear);
  useEffect(() => {
    // A busy browser delivers several changes at once, the oldest first.
    const look = (seen: IntersectionObserverEntry[]) => seen.some(({ isIntersecting }) => isIntersecting) && near();
    const observer = new IntersectionObserver(look, { rootMargin: ahead });
    if (mark.current) observer.observe(mark.current);
    return () => observer.disconnect();
  }, []);
  return <div ref={mark} />;
};

/** What stands under the rows: the next page on its way, the end, nothing found, or what went wrong. */
export const ListEnd = ({ pages, empty, onClear }: ListEndProps): ReactNode => {
  const { rows, error, hasMore, isReady, isFetchingMore, more, refetch } = pages;
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  if (rows === undefined) return null;
  if (rows.length === 0) return <EmptyState {...(onClear ? { onClear } : {})}>{empty}</EmptyState>;
  if (!hasMore && !isFetchingMore) return <p className={classes.end}>No more data available</p>;
  return (
    <div className={classes.loading} role="status">
      {/* A short page may not push the mark away: it looks again after each page, as soon as there may be another. */}
      <Watch key={`${rows.length} ${isReady}`} onNear={more} />
      <Loader size={16} aria-hidden />
      Loading
    </div>
  );
};
