import { countedAhead, type Page } from "@telltale/contract/call/paging";
import type { StandingRow } from "@telltale/contract/domains/alerting/entries";
import type { ListChange } from "@telltale/contract/domains/alerting/live-log";
import { AlertStatus } from "@telltale/contract/domains/alerts";
import { type AlertFilter, canChange } from "./shown-by.ts";

export interface Listed {
  alarmLogId: number;
  deviceId: number;
  status: AlertStatus;
}

/** A paged list of alerts. */
export interface AlertList<Row extends Listed> {
  /** A row of this list. */
  rowOf: (alert: StandingRow) => Row;
  /** The order of the rows, as the server has them. */
  compare: (a: Row, b: Row) => number;
  /** Whether the list shows an alert with these filters; undefined where only the server can tell. */
  shows: (alert: StandingRow, filter: AlertFilter) => boolean | undefined;
  /** Whether an alert keeps its place in the list as long as that shows it. */
  isSteady: boolean;
}

/** The pages of a list that are loaded, from the first on. */
export interface LoadedPages<Row> {
  pages: readonly Page<Row>[];
  size: number;
  filter: AlertFilter;
  /** Whether an alert that is not among the loaded rows was already counted in the total, if the list shows it. */
  isCounted: (alert: StandingRow) => boolean;
}

/** Rows that change, and what becomes of them. */
interface Changes<Row> {
  kept: Row[];
  put: Row[];
  /** By how many the total grows. */
  more: number;
}

/** A row that stood and stands no more, without being told how it ended: such a list is not what the message was made for. */
const hasUntoldEnd = (rows: readonly Listed[], { deviceId, rows: told, standing }: ListChange): boolean => {
  const known = new Set([...standing, ...told.map(({ alarmLogId }) => alarmLogId)]);
  return rows.some(
    (row) => row.deviceId === deviceId && row.status !== AlertStatus.cleared && !known.has(row.alarmLogId),
  );
};

/** What becomes of the loaded rows, of which there are more when `last` is given: the last of the loaded ones. */
const changesOf = <Row extends Listed>(
  { rowOf, compare, shows }: AlertList<Row>,
  { filter, isCounted }: LoadedPages<Row>,
  { rows, last, told }: { rows: readonly Row[]; last: Row | undefined; told: readonly StandingRow[] },
): Changes<Row> | undefined => {
  const loaded = new Set(rows.map(({ alarmLogId }) => alarmLogId));
  const changed = new Set(told.map(({ alarmLogId }) => alarmLogId));
  const changes: Changes<Row> = { kept: rows.filter(({ alarmLogId }) => !changed.has(alarmLogId)), put: [], more: 0 };
  for (const alert of told) {
    const [row, isShown] = [rowOf(alert), shows(alert, filter)];
    const wasLoaded = loaded.has(alert.alarmLogId);
    const isBehind = last !== undefined && compare(row, last) > 0;
    if (isShown === undefined) return undefined;
    if (isBehind && !wasLoaded) {
      if (canChange(filter) || (isShown && !isCounted(alert))) return undefined;
      continue;
    }
    if (isShown) changes.put.push(row);
    changes.more += Number(isShown) - Number(wasLoaded);
  }
  return changes;
};

/** The rows with the places that have changed. */
const withPlaces = <Row extends Listed>(rows: readonly Row[], { places }: ListChange): Row[] => {
  const byId = new Map(places.map((place) => [place.alarmLogId, place]));
  return rows.map((row) =>
    "firstOf" in row && byId.has(row.alarmLogId) ? { ...row, ...byId.get(row.alarmLogId) } : row,
  );
};

/** Totals are counted up to a bound. */
const totalOf = ({ total, page }: Page<unknown>, size: number, more: number): number => {
  const most = page * size + countedAhead;
  return total >= most ? total : Math.min(total + more, most);
};

/**
 * Whether pages that were asked for one beside the other tell of different moments: an alert was raised between them, so that a row is missing, or is
 * there twice.
 */
const areTorn = (pages: readonly Page<Listed>[], size: number): boolean => {
  const ids = pages.flatMap(({ data }) => data.map(({ alarmLogId }) => alarmLogId));
  const total = pages.at(-1)?.total ?? 0;
  const isOfOneTotal = pages.every((page) => page.total === Math.min(total, page.page * size + countedAhead));
  return !isOfOneTotal || new Set(ids).size < ids.length || ids.length < Math.min(total, pages.length * size);
};

/**
 * The loaded pages as a fetch would bring them after a change; undefined where that cannot be told: rows that are not loaded would move up, the total is
 * not known, or the pages do not go together.
 */
export const changedPages = <Row extends Listed>(
  list: AlertList<Row>,
  loaded: LoadedPages<Row>,
  change: ListChange,
): Page<Row>[] | undefined => {
  const { pages, size } = loaded;
  if (areTorn(pages, size)) return undefined;
  const rows = withPlaces(
    pages.flatMap(({ data }) => data),
    change,
  );
  const isWhole = rows.length === pages.at(-1)?.total;
  if (hasUntoldEnd(rows, change) || (!isWhole && !list.isSteady)) return undefined;
  const changes = changesOf(list, loaded, { rows, last: isWhole ? undefined : rows.at(-1), told: change.rows });
  if (!changes) return undefined;
  const next = [...changes.kept, ...changes.put].sort(list.compare);
  if (!isWhole && next.length < rows.length) return undefined;
  return pages.map((page, at) => {
    const total = totalOf(page, size, changes.more);
    return {
      page: page.page,
      data: next.slice(at * size, (at + 1) * size),
      total,
      total_pages: Math.ceil(total / size),
    };
  });
};
