import {
  type KeyboardEvent,
  type PointerEvent as ReactPointerEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from "react";

/** The list with one item moved; an index beyond the ends is clamped. */
export const moved = <T>(list: readonly T[], from: number, to: number): T[] => {
  const place = Math.max(0, Math.min(list.length - 1, to));
  const others = list.toSpliced(from, 1);
  return others.toSpliced(place, 0, ...list.slice(from, from + 1));
};

/** Where a key moves a tile in a grid with this many columns; undefined for any other key. */
export const placeByKey = (key: string, place: number, { columns, count }: { columns: number; count: number }) => {
  const places: Readonly<Record<string, number>> = {
    ArrowLeft: place - 1,
    ArrowRight: place + 1,
    ArrowUp: place - columns,
    ArrowDown: place + columns,
    Home: 0,
    End: count - 1,
  };
  const to = places[key];
  return to === undefined ? undefined : Math.max(0, Math.min(count - 1, to));
};

/** A dragged item, and the index it would get if dropped now. */
interface Drag {
  from: number;
  to: number;
}

interface ArrangementNeeds<T> {
  items: readonly T[];
  /** Receives the items in their new order. */
  onMove: (items: T[]) => void;
  /** The number in `data-item` of an item's element, which contains the button that moves it. */
  keyOf: (item: T) => number;
  /** The item's name when its new position is announced. */
  nameOf: (item: T) => string;
}

export interface Arrangement<T> {
  /** In page order; `placeOf` gives an item's position on screen. */
  items: readonly T[];
  list: RefObject<HTMLOListElement | null>;
  placeOf: (item: T) => number;
  /** The dragged item. */
  dragged: T | undefined;
  /** Screen reader announcement of the last move. */
  announcement: string;
  startDrag: (item: T) => void;
  onKeyDown: (event: KeyboardEvent, item: T) => void;
}

const columnsOf = (grid: HTMLElement | null): number =>
  grid ? getComputedStyle(grid).gridTemplateColumns.split(" ").length : 1;

/** Distance to the edge of the screen, in pixels, within which a drag scrolls the page. */
const edge = 70;

const scrollNear = (y: number): void => {
  if (y < edge) window.scrollBy(0, -14);
  if (y > window.innerHeight - edge) window.scrollBy(0, 14);
};

/** The number of the item under the pointer. */
const itemAt = ({ clientX, clientY }: PointerEvent): number => {
  const under = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>("[data-item]");
  return Number(under?.dataset.item ?? Number.NaN);
};

/** During a drag: reports the item under the pointer, and the drop. Escape cancels it. */
const useDrag = (isDragging: boolean, onOver: (key: number) => void, onEnd: (isDropped: boolean) => void): void => {
  const handlers = useRef({ onOver, onEnd });
  handlers.current = { onOver, onEnd };
  useEffect(() => {
    if (!isDragging) return;
    const gone = new AbortController();
    const options = { signal: gone.signal };
    const move = (event: PointerEvent) => {
      scrollNear(event.clientY);
      handlers.current.onOver(itemAt(event));
    };
    window.addEventListener("pointermove", move, options);
    window.addEventListener("pointerup", () => handlers.current.onEnd(true), options);
    window.addEventListener("pointercancel", () => handlers.current.onEnd(false), options);
    window.addEventListener("keydown", ({ key }) => key === "Escape" && handlers.current.onEnd(false), options);
    return () => gone.abort();
  }, [isDragging]);
};

/**
 * Whether a pointerdown starts a drag: a mouse can drag an item anywhere, a finger only by the part marked `data-grip`, so that the page can still
 * be scrolled.
 */
export const startsDrag = (event: ReactPointerEvent): boolean => {
  const isOnGrip = event.target instanceof Element && event.target.closest("[data-grip]") !== null;
  if (event.button !== 0 || (event.pointerType !== "mouse" && !isOnGrip)) return false;
  // Otherwise all events of a touch go to the element it started on.
  if (event.currentTarget.hasPointerCapture(event.pointerId))
    event.currentTarget.releasePointerCapture(event.pointerId);
  return true;
};

/** Items that are sorted by dragging and by keyboard. During a drag the DOM order does not change, so that the pointer capture is not lost. */
export const useArrangement = <T>({ items, onMove, keyOf, nameOf }: ArrangementNeeds<T>): Arrangement<T> => {
  const [drag, setDrag] = useState<Drag>();
  const [announcement, announce] = useState("");
  const list = useRef<HTMLOListElement>(null);
  const refocus = useRef<number>(undefined);
  const shown = drag ? moved(items, drag.from, drag.to) : items;

  const move = (from: number, to: number) => {
    const item = items[from];
    if (item === undefined) return;
    refocus.current = keyOf(item);
    announce(`${nameOf(item)}: place ${to + 1} of ${items.length}`);
    onMove(moved(items, from, to));
  };
  useDrag(
    drag !== undefined,
    (key) => {
      const to = shown.findIndex((item) => keyOf(item) === key);
      if (drag && to >= 0 && to !== drag.to) setDrag({ ...drag, to });
    },
    (isDropped) => {
      if (drag && isDropped && drag.to !== drag.from) move(drag.from, drag.to);
      setDrag(undefined);
    },
  );
  // An element that moves in the DOM loses the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the items are what moves
  useEffect(() => {
    if (refocus.current === undefined) return;
    list.current?.querySelector<HTMLElement>(`[data-item="${refocus.current}"] button`)?.focus();
    refocus.current = undefined;
  }, [items]);

  return {
    items,
    list,
    placeOf: (item) => shown.indexOf(item),
    dragged: drag && items[drag.from],
    announcement,
    startDrag: (item) => setDrag({ from: items.indexOf(item), to: items.indexOf(item) }),
    onKeyDown: (event, item) => {
      const place = items.indexOf(item);
      const to = placeByKey(event.key, place, { columns: columnsOf(list.current), count: items.length });
      if (to === undefined) return;
      event.preventDefault();
      if (to !== place) move(place, to);
    },
  };
};
