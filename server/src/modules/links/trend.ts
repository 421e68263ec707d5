import { isStepped } from "@telltale/contract/channel-types/index";
import type { LinkedAlert } from "@telltale/contract/domains/alerting/links";
import type { ChannelSettings } from "@telltale/contract/domains/channels";
import type { Scope } from "../../access/index.ts";
import type { LinkedEntry } from "../../alarms/index.ts";
import { chartOf } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import { periodsTouching, type TouchingPeriod } from "../history/index.ts";

type Needs = Pick<World, "db" | "pool" | "clock">;
type Trend = NonNullable<LinkedAlert["trend"]>;

const [second, hour] = [1000, 3_600_000];

/** Points of the trend, which is drawn on a phone. */
const mostPoints = 300;

/** When a period began; a channel's first also counts for readings from before it. */
const startOf = ({ startTime }: TouchingPeriod): number => startTime?.getTime() ?? 0;

/** The periods around the moment in which the unit was the same, and where they end: values in different units have no common axis. */
const inUnitOf = (periods: readonly TouchingPeriod[], moment: number): { own: TouchingPeriod[]; until: number } => {
  const current = periods.findLast((period) => startOf(period) <= moment) ?? periods[0];
  const since = current?.unitSince?.getTime();
  const own = periods.filter(({ unitSince }) => unitSince?.getTime() === since);
  const last = own.at(-1);
  const next = last && periods[periods.indexOf(last) + 1];
  return { own, until: next ? startOf(next) - 1 : Number.POSITIVE_INFINITY };
};

const reportingOf = (
  since: number,
  { reportInterval, staticData = 0 }: ChannelSettings,
): Trend["reporting"][number] => ({
  since,
  report: reportInterval * second,
  unchanged: staticData * second,
});

/** The readings of an alert's channel from one hour before it to one hour after it, with what they are to be drawn by; null without a channel. */
export const trendOf = async (
  { db, pool, clock }: Needs,
  scope: Scope,
  { deviceChannelId, createdTime }: LinkedEntry,
): Promise<Trend | null> => {
  if (deviceChannelId === null) return null;
  const raised = createdTime.getTime();
  const range = { from: raised - hour, to: Math.max(raised, Math.min(raised + hour, clock.now())) };
  const periods = await periodsTouching(db, scope, [deviceChannelId], range);
  const { own, until } = inUnitOf(periods, raised);
  const [first] = own;
  if (!first) return null;
  const from = Math.max(range.from, first.unitSince?.getTime() ?? range.from);
  const to = Math.min(range.to, until);
  const { xs, ys, count } = await chartOf(pool, deviceChannelId, from, to, mostPoints);
  return {
    ...{ dataXs: xs, dataYs: ys, count, from, to },
    isStepped: isStepped(first.channelType),
    reporting: own.map((period) => reportingOf(startOf(period), period.settings)),
  };
};
