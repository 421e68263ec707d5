import type { Client } from "@telltale/contract/call/client";
import { history } from "@telltale/contract/domains/readings/history";

/** All stored readings of a channel, oldest first, and the number that a chart counts. */
export const stored = async (client: Client, channelId: number) => {
  const { data } = await client(history.periods, { channelId });
  const logId = data.at(-1)?.logGroupId;
  if (data.length !== 1 || logId === undefined) throw new Error("A new channel has one settings period");
  const readings: { at: number; value: number }[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const points = await client(history.points, { logId, page, size: 200 });
    readings.push(...points.data.map(({ deviceTimestamp, value }) => ({ at: deviceTimestamp.getTime(), value })));
    pages = points.total_pages;
  }
  const { count } = await client(history.chart, { logId });
  return { readings: readings.reverse(), count };
};
