import { type ReactNode, type RefObject, type UIEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import { SkeletonRows } from "../ui/page/skeleton-rows.tsx";
import { useIsPhone } from "../ui/use-is-phone.ts";
import { type Column, columnsWithin, type NarrowPlace, tracksOf } from "./column.tsx";
import classes from "./data-table.module.css";
import { roles } from "./roles.ts";
import { type TableRow as Row, type SubRows, useTableRows } from "./rows.ts";
import { TableHead } from "./table-head.tsx";
import { TableRow } from "./table-row.tsx";
import type { PagesView } from "./use-pages.ts";
import { useWindowRows } from "./use-window-rows.ts";

/** Synchronises sideways scrolling of head and body, which are separate boxes because the head sticks to the page; and their width in pixels. */
const useSideScroll = (body: RefObject<HTMLElement | null>) => {
  const head = useRef<HTMLTableSectionElement>(null);
  const [scrolls, setScrolls] = useState(false);
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY);
  useLayoutEffect(() => {
    const element = body.current;
    if (!element) return;
    const measure = () => setWidth(element.clientWidth);
    measure();
    // Without rows only the head overflows its box.
    const isWide = (box: HTMLElement | null) => box !== null && box.scrollWidth > box.clientWidth;
    const observer = new ResizeObserver(() => {
      measure();
      setScrolls(isWide(element) || isWide(head.current));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [body]);
  const onScroll = (event: UIEvent<HTMLElement>) => {
    const { scrollLeft } = event.currentTarget;
    for (const each of [head.current, body.current]) {
      if (each && each.scrollLeft !== scrollLeft) each.scrollLeft = scrollLeft;
    }
  };
  return { head, scrolls, width, onScroll };
};

interface DataTableProps<T> {
  /** Accessible name of the table. */
  label: string;
  columns: readonly Column<T>[];
  /** Undefined while the first page loads. */
  rows: readonly T[] | undefined;
  /** Must be the same function at each render. */
  rowKey: (row: T) => string | number;
  /** Opens a row by click or Enter; the row's own link must lead to the same page. */
  onOpen?: (row: T) => void;
  subRows?: SubRows<T>;
  /** `view` of usePages. */
  view?: PagesView;
  /** Content after the rows, usually `ListEnd`. */
  footer?: ReactNode;
}

/** From this many columns on, the table uses the narrow width of the typeface instead of a smaller size. */
const manyColumns = 10;

/** Estimated height of a row in pixels until it is measured: on phones two lines, or more with a button. */
const heightOf = (columns: readonly { narrow?: NarrowPlace }[], isNarrow: boolean): number => {
  if (isNarrow) return columns.some(({ narrow }) => narrow === "action") ? 86 : 65;
  return columns.length >= manyColumns ? 46 : 36;
};

/** Page positions count top-level rows, not their sub rows. */
const useViewOfRows = <T,>(view: PagesView | undefined, rows: readonly Row<T>[]) =>
  useMemo(() => {
    const placeOf = (index: number) => rows[index]?.place ?? 0;
    return view && { key: view.key, seen: (first: number, last: number) => view.seen(placeOf(first), placeOf(last)) };
  }, [view, rows]);

/**
 * A virtualised table that scrolls with the page under a sticky head. It knows neither calls nor roles. On phones its rows have two lines and its
 * head becomes a strip of filters.
 */
export const DataTable = <T,>(props: DataTableProps<T>): ReactNode => {
  const { label, rowKey, onOpen, subRows, view, footer } = props;
  const { rows, toggle } = useTableRows(label, props.rows, rowKey, subRows);
  const keys = useMemo(() => rows.map(({ id }) => id), [rows]);
  const viewOfRows = useViewOfRows(view, rows);
  const isNarrow = useIsPhone();
  const body = useRef<HTMLTableSectionElement>(null);
  const side = useSideScroll(body);
  const hasChevron = subRows !== undefined;
  const columns = useMemo(
    () => columnsWithin(props.columns, hasChevron, side.width),
    [props.columns, hasChevron, side.width],
  );
  const shown = useWindowRows(body, keys, heightOf(columns, isNarrow), viewOfRows);
  const { tracks, least } = tracksOf(columns, hasChevron);
  const isLoading = props.rows === undefined;
  return (
    <div className={classes.frame}>
      <table
        {...roles.table}
        className={classes.table}
        style={{ "--tracks": tracks, "--least": `${least}px` }}
        data-dense={columns.length >= manyColumns || undefined}
        data-scrolls={side.scrolls || undefined}
        aria-label={label}
        aria-busy={isLoading}
        aria-rowcount={isLoading ? -1 : rows.length + 1}
      >
        <TableHead columns={columns} hasChevron={hasChevron} sideRef={side.head} onScroll={side.onScroll} />
        <tbody
          {...roles.group}
          ref={body}
          className={classes.body}
          onScroll={side.onScroll}
          style={{ paddingTop: shown.before, paddingBottom: shown.after }}
        >
          {isLoading && <SkeletonRows columns={[...(subRows ? [0.4] : []), ...columns.map(() => 0.7)]} />}
          {shown.items.map(({ index, key }) => {
            const row = rows[index];
            return (
              row && (
                <TableRow
                  key={key}
                  {...{ row, index, columns, onOpen, measure: shown.measure }}
                  onToggle={hasChevron ? toggle : undefined}
                />
              )
            );
          })}
        </tbody>
      </table>
      {footer}
    </div>
  );
};
