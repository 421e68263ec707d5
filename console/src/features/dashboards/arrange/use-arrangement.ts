import type { PlacedTile } from "@telltale/contract/dashboards";
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { moved, placeByKey } from "./moved.ts";

/** A tile that hangs on the pointer, and the place that it would have if it were let go. */
interface Drag {
  from: number;
  to: number;
}

export interface Arrangement {
  /** In the order of the page; where a tile stands on screen says `placeOf`. */
  tiles: readonly PlacedTile[];
  grid: RefObject<HTMLOListElement | null>;
  placeOf: (tile: PlacedTile) => number;
  /** The tile on the pointer. */
  dragged: PlacedTile | undefined;
  isChanged: boolean;
  /** What is to be said aloud about the last move. */
  announcement: string;
  startDrag: (tile: PlacedTile) => void;
  onKeyDown: (event: KeyboardEvent, tile: PlacedTile) => void;
}

const columnsOf = (grid: HTMLElement | null): number =>
  grid ? getComputedStyle(grid).gridTemplateColumns.split(" ").length : 1;

/** So near to the edge of the screen, in pixels, a drag scrolls the page. */
const edge = 70;

const scrollNear = (y: number): void => {
  if (y < edge) window.scrollBy(0, -14);
  if (y > window.innerHeight - edge) window.scrollBy(0, 14);
};

/** The number that the tile under the pointer carries. */
const tileAt = ({ clientX, clientY }: PointerEvent): number => {
  const under = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>("[data-tile]");
  return Number(under?.dataset.tile ?? Number.NaN);
};

/** While a tile hangs on the pointer: where it would stand, and what happens when it is let go. Escape lets it go back. */
const useDrag = (isDragging: boolean, onOver: (tileId: number) => void, onEnd: (isDropped: boolean) => void): void => {
  const handlers = useRef({ onOver, onEnd });
  handlers.current = { onOver, onEnd };
  useEffect(() => {
    if (!isDragging) return;
    const gone = new AbortController();
    const options = { signal: gone.signal };
    const move = (event: PointerEvent) => {
      scrollNear(event.clientY);
      handlers.current.onOver(tileAt(event));
    };
    window.addEventListener("pointermove", move, options);
    window.addEventListener("pointerup", () => handlers.current.onEnd(true), options);
    window.addEventListener("pointercancel", () => handlers.current.onEnd(false), options);
    window.addEventListener("keydown", ({ key }) => key === "Escape" && handlers.current.onEnd(false), options);
    return () => gone.abort();
  }, [isDragging]);
};

/** Tiles that are put in order by dragging and by keyboard. While one is dragged the page keeps its own order, so that the pointer is not lost. */
export const useArrangement = (initial: readonly PlacedTile[]): Arrangement => {
  const [tiles, setTiles] = useState(initial);
  const [drag, setDrag] = useState<Drag>();
  const [announcement, announce] = useState("");
  const grid = useRef<HTMLOListElement>(null);
  const refocus = useRef<number>(undefined);
  const shown = drag ? moved(tiles, drag.from, drag.to) : tiles;

  const move = (from: number, to: number) => {
    const tile = tiles[from];
    if (!tile) return;
    setTiles(moved(tiles, from, to));
    refocus.current = tile.tileId;
    announce(`${tile.name}, ${tile.deviceName}: place ${to + 1} of ${tiles.length}`);
  };
  useDrag(
    drag !== undefined,
    (tileId) => {
      const to = shown.findIndex((tile) => tile.tileId === tileId);
      if (drag && to >= 0 && to !== drag.to) setDrag({ ...drag, to });
    },
    (isDropped) => {
      if (drag && isDropped && drag.to !== drag.from) move(drag.from, drag.to);
      setDrag(undefined);
    },
  );
  // A tile that moves in the page loses the focus on the way.
  useEffect(() => {
    if (refocus.current === undefined || tiles === initial) return;
    grid.current?.querySelector<HTMLElement>(`[data-tile="${refocus.current}"] button`)?.focus();
    refocus.current = undefined;
  }, [tiles, initial]);

  return {
    tiles,
    grid,
    placeOf: (tile) => shown.indexOf(tile),
    dragged: drag && tiles[drag.from],
    isChanged: tiles.some((tile, place) => tile !== initial[place]),
    announcement,
    startDrag: (tile) => setDrag({ from: tiles.indexOf(tile), to: tiles.indexOf(tile) }),
    onKeyDown: (event, tile) => {
      const place = tiles.indexOf(tile);
      const to = placeByKey(event.key, place, { columns: columnsOf(grid.current), count: tiles.length });
      if (to === undefined) return;
      event.preventDefault();
      if (to !== place) move(place, to);
    },
  };
};
