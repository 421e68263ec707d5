import type { AlertRow } from "@telltale/contract/domains/alerts";
import { type Tile, TileKind } from "@telltale/contract/domains/dashboard/tiles";
import type { TileFacts } from "../tile-facts.ts";
import { channelsOf, isAbout, TileState } from "../tile-state.ts";

/** A tile with its place on the dashboard, what it says, and the unconfirmed alert that it is about. */
export interface WallTile {
  kind: "tile";
  tile: Tile;
  index: number;
  facts: TileFacts | undefined;
  alert: AlertRow | undefined;
}

/** The card of an unconfirmed alert that no tile is about: of a device, or of a channel that is not shown. */
interface WallCard {
  kind: "card";
  alert: AlertRow;
}

/** What takes a place on a wall. */
export type WallItem = WallTile | WallCard;

export const isTile = (item: WallItem): item is WallTile => item.kind === "tile";

const rankOf = ({ alert, facts }: WallTile): number => {
  if (alert || (facts?.state === TileState.alarm && facts.confirmed === undefined)) return 0;
  if (facts?.confirmed !== undefined) return 1;
  if (facts?.age !== undefined) return 2;
  return facts?.state === TileState.noData ? 3 : 4;
};

/** What a wall shows, alarms first. */
export interface WallOrder {
  /** Tiles with an unconfirmed alert and cards, in the order of the alerts; then other tiles in alarm that nobody has confirmed. */
  urgent: WallItem[];
  /** Confirmed, old, without data, then all others as the dashboard has them. */
  others: WallTile[];
}

/** Puts the tiles of a dashboard, and the alerts that none of them is about, in the order of a wall. `alerts`: the unconfirmed ones, the most urgent first. */
export const wallOrder = (
  tiles: readonly Tile[],
  facts: readonly TileFacts[],
  alerts: readonly AlertRow[],
): WallOrder => {
  const all = tiles.map(
    (tile, index): WallTile => ({
      ...{ kind: "tile", tile, index },
      facts: facts[index],
      alert: alerts.find((alert) => isAbout(alert, channelsOf(tile))),
    }),
  );
  const cards = alerts
    .filter((alert) => !tiles.some((tile) => isAbout(alert, channelsOf(tile))))
    .map((alert): WallCard => ({ kind: "card", alert }));
  const placeOf = ({ alert }: WallItem) => (alert ? alerts.indexOf(alert) : alerts.length);
  return {
    urgent: [...all.filter((each) => rankOf(each) === 0), ...cards].toSorted((a, b) => placeOf(a) - placeOf(b)),
    others: all.filter((each) => rankOf(each) > 0).toSorted((a, b) => rankOf(a) - rankOf(b)),
  };
};

/** How a wall of this size is divided, in pixels. Alarms take two columns each, and two rows of them at most. */
export interface WallGrid {
  columns: number;
  rowHeight: number;
  urgentHeight: number;
}

/** In pixels. */
interface Size {
  width: number;
  height: number;
}

const gap = 16;
const mostUrgentRows = 2;

/** The columns of a wall so wide: eight at 2560 pixels, more above. */
export const wallGrid = (width: number): WallGrid => {
  const large = { rowHeight: 180, urgentHeight: 306 };
  if (width >= 3840) return { columns: 12, ...large };
  if (width >= 2560) return { columns: 8, ...large };
  if (width >= 1920) return { columns: 6, rowHeight: 180, urgentHeight: 260 };
  return { columns: width >= 1024 ? 4 : 2, rowHeight: 156, urgentHeight: 220 };
};

/** A page while it is filled: what stands on it, and of each row which columns are taken. */
interface FilledPage {
  items: WallItem[];
  rows: boolean[][];
}

/** Takes the first place from the top where an item so many rows high fits, as the grid of the page puts it; returns whether there is one. */
const take = ({ rows }: FilledPage, high: number): boolean => {
  for (let top = 0; top + high <= rows.length; top += 1) {
    const spanned = rows.slice(top, top + high);
    const column = rows[top]?.findIndex((_, at) => spanned.every((row) => !row[at])) ?? -1;
    if (column < 0) continue;
    for (const row of spanned) row[column] = true;
    return true;
  }
  return false;
};

/** How many rows a motor controller takes: two, where a page has them. */
const highOf = (item: WallItem, rows: number): number =>
  isTile(item) && item.tile.kind === TileKind.modbus && rows > 1 ? 2 : 1;

/** The rows that fit below `urgent` alarms in this height, in pixels; at least one. */
const rowsBelow = (grid: WallGrid, height: number, urgent: number): number => {
  const urgentRows = Math.min(mostUrgentRows, Math.ceil(urgent / (grid.columns / 2)));
  const free = height - urgentRows * (grid.urgentHeight + gap);
  return Math.max(1, Math.floor((free + gap) / (grid.rowHeight + gap)));
};

/**
 * Divides tiles and cards into pages that fit below the alarms, because nobody scrolls a wall. Each stands on the first page where it has room: what is
 * higher than the room that is left on a page leaves it to others.
 */
export const wallPages = (items: readonly WallItem[], grid: WallGrid, height: number, urgent: number): WallItem[][] => {
  const rows = rowsBelow(grid, height, urgent);
  const pages: FilledPage[] = [];
  for (const each of items) {
    const high = highOf(each, rows);
    let page = pages.find((filled) => take(filled, high));
    if (!page) {
      page = { items: [], rows: Array.from({ length: rows }, () => Array<boolean>(grid.columns).fill(false)) };
      take(page, high);
      pages.push(page);
    }
    page.items.push(each);
  }
  return pages.map((filled) => filled.items);
};

/** What a wall shows at once, and the pages that it shows in turn. */
export interface WallPlaces {
  /** The most urgent alarms, large, on every page. */
  large: WallItem[];
  /** All others, so that no alarm is on none of them. */
  pages: WallItem[][];
  /** Whether a page has a single row. */
  isLow: boolean;
}

/** Gives what a wall shows its places; `height`: pixels below the bar. */
export const wallPlaces = ({ urgent, others }: WallOrder, grid: WallGrid, height: number): WallPlaces => {
  const most = mostUrgentRows * (grid.columns / 2);
  const large = urgent.slice(0, most);
  return {
    large,
    pages: wallPages([...urgent.slice(most), ...others], grid, height, large.length),
    isLow: rowsBelow(grid, height, large.length) === 1,
  };
};

/** Rows of alarms for which room is kept: with more of them, the tiles follow on further pages. */
const keptRows = 1;

/** Width of the wall whose tiles are read from afar without being enlarged, and the steps of enlarging. */
const plain = { width: 1920, step: 0.25 };

/**
 * How much larger than usual few tiles are shown, so that they fill a large wall: at least 1. `frame`: height of the bar and of the space around the
 * tiles, which are enlarged with them. Room for a row of alarms is kept, so that nothing changes its size when one comes or goes.
 */
export const wallScale = (tiles: readonly WallTile[], { width, height }: Size, frame: number): number => {
  const largest = Math.floor(width / plain.width / plain.step) * plain.step;
  for (let scale = largest; scale > 1; scale -= plain.step) {
    const grid = wallGrid(width / scale);
    const alarms = keptRows * (grid.columns / 2);
    if (wallPages(tiles, grid, height / scale - frame, alarms).length <= 1) return scale;
  }
  return 1;
};
