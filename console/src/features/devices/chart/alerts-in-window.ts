import { queryOptions } from "@tanstack/react-query";
import { type AlertRow, alerts } from "@telltale/contract/domains/alerts";
import type { Window } from "../../../domain/samples.ts";
import { client } from "../../../session/client.ts";
import { keyOf } from "../../../session/use-call.ts";

/** Alerts of a page, and most pages that are loaded for a window. */
const pageSize = 200;
const mostPages = 5;

const day = 24 * 60 * 60 * 1000;

/** The alerts of a channel, newest first. */
export interface Alerts {
  rows: AlertRow[];
  /** Those that were raised before then are not among them; undefined where all that reach into the window are. */
  since: number | undefined;
}

type Page = Pick<Alerts, "rows"> & { total: number };

/** Reads pages of alerts, newest first, up to those that were raised before this moment. */
export const alertsFrom = async (from: number, read: (page: number) => Promise<Page>): Promise<Alerts> => {
  const rows: AlertRow[] = [];
  for (let page = 1; page <= mostPages; page += 1) {
    const { rows: more, total } = await read(page);
    rows.push(...more);
    const oldest = more.at(-1)?.createdTime.getTime();
    if (oldest === undefined || oldest < from || rows.length >= total) return { rows, since: undefined };
  }
  return { rows, since: rows.at(-1)?.createdTime.getTime() };
};

/** A channel's alerts as a query, as many as a chart of the window needs and its time in alarm counts. `until`: the end of what is searched for. */
export const alertsInWindow = (deviceChannelId: number, window: Window | undefined, until?: Date) => {
  // From the beginning of a day on, so that a window that moves on does not load them anew with each reading.
  const from = Math.floor((window?.start ?? 0) / day) * day;
  const request = { deviceChannelId, size: pageSize, ...(until ? { createdEndTime: until } : {}) };
  return queryOptions({
    queryKey: [...keyOf(alerts.ofChannel), "window", request, from],
    queryFn: ({ signal }) =>
      alertsFrom(from, async (page) => {
        const { data, total } = await client(alerts.ofChannel, { ...request, page }, signal);
        return { rows: data, total };
      }),
    enabled: window !== undefined,
    placeholderData: undefined,
  });
};
