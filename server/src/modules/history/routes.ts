import { maxChartPoints } from "@telltale/contract/domains/channels";
import type { history } from "@telltale/contract/domains/readings/history";
import { type RangeOfDays, rangeIn, zoneOf } from "@telltale/contract/text/wall-clock";
import { areChannelsInScope, type Scope } from "../../access/index.ts";
import { pageOf } from "../../platform/database/paging.ts";
import { invalid, notFound } from "../../platform/http/api-error.ts";
import type { Handlers } from "../../platform/http/mount.ts";
import { chartOf, pointsOf } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import { joinedPeriods, periodById, type ReadPeriod, settingsPeriods } from "./queries.ts";
import { clipped, isEmpty } from "./rules.ts";

type Needs = Pick<World, "db" | "pool" | "clock">;

interface Source {
  logId?: number | undefined;
  channelId?: number | undefined;
  endTime?: Date | undefined;
}

/** The settings period of a call, or the joined ones of its channel, as they were at the end of the range. */
const periodOf = async (world: Needs, scope: Scope, { logId, channelId, endTime }: Source): Promise<ReadPeriod> => {
  if (logId === undefined && channelId === undefined) throw invalid("Choose a settings period or a channel");
  const own = logId === undefined ? undefined : await periodById(world, scope, logId);
  if (logId !== undefined && !own) throw notFound();
  const joined =
    channelId === undefined
      ? undefined
      : await joinedPeriods(world, scope, channelId, endTime ?? new Date(world.clock.now()));
  const period = own ?? joined;
  // Of two that are given, both must be in the account's scope.
  if (!period || (channelId !== undefined && !joined)) throw notFound();
  return period;
};

/** The range of a call in moments: its dates are days in its time zone. */
const rangeOf = ({ timeZoneId, ...range }: RangeOfDays & { timeZoneId?: string | undefined }) =>
  rangeIn(zoneOf(timeZoneId ?? "UTC"), range);

export const historyRoutes = (world: Needs): Handlers<typeof history> => ({
  periods: async (request, caller) => {
    if (!(await areChannelsInScope(world.db, caller, [request.channelId]))) throw notFound();
    return settingsPeriods(world, caller, request);
  },
  chart: async ({ logId, channelId, latest, ...given }, caller) => {
    const range = rangeOf(given);
    const period = await periodOf(world, caller, { logId, channelId, endTime: range.endTime });
    const stretch = clipped(period, { ...range, latest }, world.clock.now());
    if (isEmpty(stretch)) return { dataXs: [], dataYs: [], unit: period.unit, count: 0, ...stretch };
    const line = await chartOf(world.pool, period.channelId, stretch.from, stretch.to, maxChartPoints);
    return { dataXs: line.xs, dataYs: line.ys, unit: period.unit, count: line.count, ...stretch };
  },
  points: async ({ logId, channelId, deviceTimestamp, page, size, ...given }, caller) => {
    const range = rangeOf(given);
    const period = await periodOf(world, caller, { logId, channelId, endTime: range.endTime });
    const { from, to } = clipped(period, range, world.clock.now());
    const stretch = { from, to: Math.min(to, deviceTimestamp ?? to) };
    if (isEmpty(stretch)) return pageOf([], 0, { page, size });
    const { rows, total } = await pointsOf(world.pool, period.channelId, stretch.from, stretch.to, { page, size });
    const points = rows.map(({ ts, value, status }) => {
      const time = new Date(ts);
      return { createdTime: time, value, valueUnit: period.unit, status, deviceTimestamp: time };
    });
    return pageOf(points, total, { page, size });
  },
});
