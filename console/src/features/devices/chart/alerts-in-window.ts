import { queryOptions } from "@tanstack/react-query";
import type { Input } from "@telltale/contract/call/call";
import { type AlertRow, AlertStatus, alerts } from "@telltale/contract/domains/alerts";
import { dayOf, type Window } from "../../../domain/samples.ts";
import { client } from "../../../session/client.ts";
import { keyOf } from "../../../session/use-call.ts";

/** Alerts of a page, and most pages that are loaded for a window. */
const pageSize = 200;
const mostPages = 5;

/** The alerts of a channel, newest first. */
export interface Alerts {
  rows: AlertRow[];
  /** Not all that stood only before then are among them; undefined where all that reach into the window are. */
  since: number | undefined;
}

/** Which alerts of the channel are asked for. */
type Filter = Pick<Partial<Input<typeof alerts.ofChannel>>, "page" | "createdEndTime" | "modifyStartTime" | "status">;

/** Returns a page of them, newest first. */
export type Ask = (filter: Filter) => Promise<Pick<Alerts, "rows"> & { total: number }>;

/** The alerts that stood at a moment and were raised up to then. One page of each has them all: of each rule one alert stands at a time. */
const stoodAt = async (moment: number, raisedUntil: Date, ask: Ask): Promise<AlertRow[]> => {
  const [standing, ended] = await Promise.all([
    ask({ createdEndTime: raisedUntil, status: [AlertStatus.triggered, AlertStatus.confirmed] }),
    ask({ createdEndTime: raisedUntil, modifyStartTime: new Date(moment) }),
  ]);
  return [...standing.rows, ...ended.rows];
};

/**
 * Reads pages of alerts, newest first, up to those that were raised before this moment. One that has stood for long may come after any number of those:
 * what stood at that moment is asked for, too.
 */
export const alertsFrom = async (from: number, ask: Ask): Promise<Alerts> => {
  const found = new Map<number, AlertRow>();
  const add = (rows: readonly AlertRow[]) => {
    for (const row of rows) found.set(row.alarmLogId, row);
  };
  let oldest: Date | undefined;
  for (let page = 1; page <= mostPages; page += 1) {
    const { rows, total } = await ask({ page });
    add(rows);
    oldest = rows.at(-1)?.createdTime;
    if (!oldest || found.size >= total) return { rows: [...found.values()], since: undefined };
    if (oldest.getTime() < from) break;
  }
  if (!oldest) return { rows: [], since: undefined };
  // From then on all are known, with those that stood then.
  const known = Math.max(from, oldest.getTime());
  add(await stoodAt(known, oldest, ask));
  return { rows: [...found.values()], since: known > from ? known : undefined };
};

/** A channel's alerts as a query, as many as a chart of the window needs and its time in alarm counts. `until`: the end of what is searched for. */
export const alertsInWindow = (deviceChannelId: number, window: Window | undefined, until?: Date) => {
  // From the beginning of a day on, so that a window that moves on does not load them anew with each reading.
  const from = dayOf(window?.start ?? 0);
  const request = { deviceChannelId, size: pageSize, ...(until ? { createdEndTime: until } : {}) };
  return queryOptions({
    queryKey: [...keyOf(alerts.ofChannel), "window", request, from],
    queryFn: ({ signal }) =>
      alertsFrom(from, async (filter) => {
        const { data, total } = await client(alerts.ofChannel, { ...request, ...filter }, signal);
        return { rows: data, total };
      }),
    enabled: window !== undefined,
    placeholderData: undefined,
  });
};
