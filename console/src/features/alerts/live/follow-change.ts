import type { Query, QueryClient } from "@tanstack/react-query";
import type { Result } from "@telltale/contract/call/call";
import type { Page } from "@telltale/contract/call/paging";
import { alertEntries, type StandingRow } from "@telltale/contract/domains/alerting/entries";
import { type ListChange, listChangeOf } from "@telltale/contract/domains/alerting/live-log";
import { alerts } from "@telltale/contract/domains/alerts";
import type { LiveAlertChange } from "@telltale/contract/live";
import { whenSettled } from "../../../session/live/when-settled.ts";
import { serverTimeAt } from "../../../ui/server-time.ts";
import { type AlertList, changedPages, type Listed } from "./changed-pages.ts";
import { changedStrip, logList, notificationList, standingList } from "./lists.ts";

/** Messages that arrive so shortly before an answer was asked for, milliseconds, may tell of what is not in it. */
const margin = 5_000;
/** Most alerts that are remembered as told. */
const mostTold = 5_000;

/** The alerts that messages have told of: the totals count them. */
export type Told = Set<number>;

const remember = (told: Told, { rows }: ListChange): void => {
  for (const { alarmLogId } of rows) told.add(alarmLogId);
  for (const id of told) {
    if (told.size <= mostTold) return;
    told.delete(id);
  }
};

interface Part {
  query: Query;
  page: number;
  size: number;
  filter: Record<string, unknown>;
}

const partOf = (query: Query): Part => {
  const { page, size, ...filter }: Record<string, unknown> = Object(query.queryKey[1]);
  return { query, page: Number(page), size: Number(size), filter };
};

/** The cached pages of each list of a call, in order. */
const listsOf = (queries: QueryClient, path: string): Part[][] => {
  const parts = queries
    .getQueryCache()
    .findAll({ queryKey: [path], predicate: ({ state }) => state.data !== undefined })
    .map(partOf);
  const lists = Map.groupBy(parts, ({ size, filter }) => JSON.stringify([size, Object.entries(filter).toSorted()]));
  return [...lists.values()].map((list) => list.toSorted((a, b) => a.page - b.page));
};

/** What is known when a message changes a list. */
interface News {
  queries: QueryClient;
  change: ListChange;
  told: Told;
}

/** Whether a list's total counts an alert: it was told of, or raised before what was fetched. */
const countedIn = (pages: readonly Page<Listed>[], told: Told, fetchedAt: number) => {
  const ids = pages.flatMap(({ data }) => data.map(({ alarmLogId }) => alarmLogId));
  const newestFetched = Math.max(0, ...ids.filter((id) => !told.has(id)));
  return ({ alarmLogId, receivedTime }: StandingRow): boolean =>
    told.has(alarmLogId) ||
    alarmLogId <= newestFetched ||
    receivedTime === null ||
    receivedTime.getTime() < fetchedAt - margin;
};

/** Changes the cached pages of a list. False when they have to be fetched. */
type Follow = (parts: readonly Part[], news: News) => boolean;

const following =
  <Row extends Listed, Answer extends Page<Row>>(
    list: AlertList<Row>,
    beside: (answer: Answer, change: ListChange) => Answer = (answer) => answer,
  ): Follow =>
  (parts, { queries, change, told }) => {
    const [first] = parts;
    const pages = parts.flatMap(({ query }) => queries.getQueryData<Answer>(query.queryKey) ?? []);
    const isUsable = parts.every(({ query, page }, at) => page === at + 1 && !query.state.isInvalidated);
    if (!first || !isUsable) return false;
    const fetchedAt = serverTimeAt(Math.min(...parts.map(({ query }) => query.state.dataUpdatedAt)));
    const isCounted = countedIn(pages, told, fetchedAt);
    const next = changedPages(list, { pages, size: first.size, filter: first.filter, isCounted }, change);
    if (!next) return false;
    for (const [at, { query }] of parts.entries()) {
      const [before, after] = [pages[at], next[at]];
      // It stays as old as it is: a screen that is opened later fetches it as before.
      const { dataUpdatedAt: updatedAt } = query.state;
      if (before && after) queries.setQueryData(query.queryKey, beside({ ...before, ...after }, change), { updatedAt });
    }
    return true;
  };

const follows: Readonly<Record<string, Follow>> = {
  [alertEntries.standing.path]: following(standingList),
  [alerts.notifications.path]: following(notificationList),
  [alerts.log.path]: following(logList, (answer: Result<typeof alerts.log>, { rows }) => ({
    ...answer,
    notifications: changedStrip(answer.notifications, rows),
  })),
};

/**
 * Changes all cached lists of a call by what a live message tells; while one is being fetched, as soon as that is over. `onUnknown` is called when lists on
 * screen have to be fetched; others are when they are shown again.
 */
export const followChange = (
  { path }: { path: string },
  message: LiveAlertChange,
  { queries, told, onUnknown }: { queries: QueryClient; told: Told; onUnknown: () => void },
): void => {
  const [change, follow] = [listChangeOf(message), follows[path]];
  if (!change || !follow) {
    onUnknown();
    return;
  }
  whenSettled(queries, [path], () => {
    const unknown = listsOf(queries, path).filter((parts) => !follow(parts, { queries, change, told }));
    remember(told, change);
    const isShown = unknown.filter((parts) => parts.some(({ query }) => query.isActive()));
    for (const { query } of unknown.flat()) query.invalidate();
    if (isShown.length > 0) onUnknown();
  });
};
