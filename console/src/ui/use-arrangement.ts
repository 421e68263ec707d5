import {
  type KeyboardEvent,
  type PointerEvent as ReactPointerEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from "react";

/** The list with one item in another place; a place beyond the ends is the end. */
export const moved = <T>(list: readonly T[], from: number, to: number): T[] => {
  const place = Math.max(0, Math.min(list.length - 1, to));
  const others = list.toSpliced(from, 1);
  return others.toSpliced(place, 0, ...list.slice(from, from + 1));
};

/** Where a key moves a tile in a grid of so many columns; undefined for any other key. */
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

/** An item that hangs on the pointer, and the place that it would have if it were let go. */
interface Drag {
  from: number;
  to: number;
}

interface ArrangementNeeds<T> {
  items: readonly T[];
  /** Takes the items in their new order. */
  onMove: (items: T[]) => void;
  /** The number that stands in `data-item` of an item's element, which holds the button that moves it. */
  keyOf: (item: T) => number;
  /** What the item is called when its new place is said aloud. */
  nameOf: (item: T) => string;
}

export interface Arrangement<T> {
  /** In the order of the page; where an item stands on screen says `placeOf`. */
  items: readonly T[];
  list: RefObject<HTMLOListElement | null>;
  placeOf: (item: T) => number;
  /** The item on the pointer. */
  dragged: T | undefined;
  /** What is to be said aloud about the last move. */
  announcement: string;
  startDrag: (item: T) => void;
  onKeyDown: (event: KeyboardEvent, item: T) => void;
}

const columnsOf = (grid: HTMLElement | null): number =>
  grid ? getComputedStyle(grid).gridTemplateColumns.split(" ").length : 1;

/** So near to the edge of the screen, in pixels, a drag scrolls the page. */
const edge = 70;

const scrollNear = (y: number): void => {
  if (y < edge) window.scrollBy(0, -14);
  if (y > window.innerHeight - edge) window.scrollBy(0, 14);
};

/** The number that the item under the pointer carries. */
const itemAt = ({ clientX, clientY }: PointerEvent): number => {
  const under = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>("[data-item]");
  return Number(under?.dataset.item ?? Number.NaN);
};

/** While an item hangs on the pointer: where it would stand, and what happens when it is let go. Escape lets it go back. */
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
 * The pointer goes where it was pressed: a mouse takes an item anywhere, a finger by the part marked `data-grip`, so that the page can still be
 * scrolled. Gives whether the item is to be taken.
 */
export const isTaken = (event: ReactPointerEvent): boolean => {
  const isOnGrip = event.target instanceof Element && event.target.closest("[data-grip]") !== null;
  if (event.button !== 0 || (event.pointerType !== "mouse" && !isOnGrip)) return false;
  // A finger's events would else all go to the item it touched first.
  if (event.currentTarget.hasPointerCapture(event.pointerId))
    event.currentTarget.releasePointerCapture(event.pointerId);
  return true;
};

/** Items that are put in order by dragging and by keyboard. While one is dragged the page keeps its own order, so that the pointer is not lost. */
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
  // An item that moves in the page loses the focus on the way.
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
