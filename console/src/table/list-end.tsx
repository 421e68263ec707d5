import { type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import { Loader } from "../ui/control/loader.tsx";
import { EmptyState, ErrorState } from "../ui/page/message.tsx";
import classes from "./list-end.module.css";

/** The part of `usePages` that the table and its end show. */
export interface ListedPages<T> {
  rows: readonly T[] | undefined;
  /** Number of rows there are, loaded or not. */
  total: number;
  error: Error | null;
  hasMore: boolean;
  isReady: boolean;
  isFetchingMore: boolean;
  more: () => void;
  refetch: () => void;
}

interface ListEndProps {
  pages: ListedPages<unknown>;
  /** Text of an empty list: 'No alerts match these filters'. */
  empty: ReactNode;
  /** Plural of a row. */
  noun?: string;
  /** Said after the last row. */
  end?: ReactNode;
  /** Clears the filters; only given while there are any. */
  onClear?: (() => void) | undefined;
}

/** How far below the screen the next page is requested, so that scrolling does not have to wait. */
const ahead = "600px";

/** Requests more when it comes near the screen. */
const Watch = ({ onNear }: { onNear: () => void }) => {
  const mark = useRef<HTMLDivElement>(null);
  const near = useEffectEvent(onNear);
  useEffect(() => {
    // A busy browser delivers several changes at once, oldest first.
    const look = (seen: IntersectionObserverEntry[]) => seen.some(({ isIntersecting }) => isIntersecting) && near();
    const observer = new IntersectionObserver(look, { rootMargin: ahead });
    if (mark.current) observer.observe(mark.current);
    return () => observer.disconnect();
  }, []);
  return <div ref={mark} />;
};

/** The end of a list: the next page loading, the end, nothing found, or an error. */
export const ListEnd = ({
  pages,
  empty,
  noun = "rows",
  end = "No more data available",
  onClear,
}: ListEndProps): ReactNode => {
  const { rows, total, error, hasMore, isReady, isFetchingMore, more, refetch } = pages;
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  if (rows === undefined) return null;
  if (rows.length === 0) return <EmptyState {...(onClear ? { onClear } : {})}>{empty}</EmptyState>;
  if (!hasMore && !isFetchingMore) return <p className={classes.end}>{end}</p>;
  return (
    <>
      <div className={classes.loading} role="status">
        {/* A short page may not push the sentinel out of view, so it is checked again after each page. */}
        <Watch key={`${rows.length} ${isReady}`} onNear={more} />
        <Loader size={16} aria-hidden />
        Loading
      </div>
      <p className={classes.printed}>
        {rows.length} of {total} {noun}
      </p>
    </>
  );
};
