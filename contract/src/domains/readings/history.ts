import { z } from "zod";
import { get } from "../../call/call.ts";
import { momentOrDay } from "../../call/moment-or-day.ts";
import { detailPageSize, page, pageQuery } from "../../call/paging.ts";
import * as wire from "../../call/wire.ts";
import { Chart, LogGroup, LogPoint } from "../channels.ts";

/** A range within a settings period; a missing end means the period's own, and a date that day in the time zone, without one in UTC. */
const range = {
  timeZoneId: wire
    .text(64)
    .describe("Whose days startTime and endTime are where they are dates; UTC without it")
    .optional(),
  startTime: momentOrDay().optional(),
  endTime: momentOrDay().optional(),
};

/** Whose readings: those of a settings period, or of a channel across its periods, as far as its unit is the same. */
const source = { logId: wire.int().optional(), channelId: wire.int().optional() };

/** Longest range of `latest`: ten years. */
const longest = 10 * 366 * 86_400_000;

export const history = {
  periods: get("/api/device/detail/log", {
    access: "devices.read",
    summary: "Settings periods of a channel that overlap the range, newest first",
    query: z.object({
      channelId: wire.int(),
      startTime: wire.rangeStart().optional(),
      endTime: wire.rangeEnd().optional(),
      ...pageQuery,
      size: wire.intBetween(1, 200).default(detailPageSize),
    }),
    result: page(LogGroup),
  }),
  chart: get("/api/device/detail/log/data", {
    access: "devices.read",
    summary:
      "The chart line of a settings period, or of a channel across its periods in one unit, in at most 2,000 points with all minima and maxima; `latest`: the last milliseconds up to now, or up to the newest reading where there is none in them",
    query: z.object({
      ...source,
      ...range,
      latest: wire.intBetween(1, longest).optional(),
    }),
    result: Chart,
  }),
  points: get("/api/device/detail/log/info", {
    access: "devices.read",
    summary:
      "Readings of a settings period, or of a channel across its periods as in the chart, newest first; `deviceTimestamp` (epoch milliseconds) asks for those at or before it",
    query: z.object({
      ...source,
      deviceTimestamp: wire.epoch().optional(),
      ...range,
      ...pageQuery,
      size: wire.intBetween(1, 200).default(detailPageSize),
    }),
    result: page(LogPoint),
  }),
};
