import { PackageState, type PendingPackage } from "@telltale/contract/domains/readings/downloads";
import { monthOn, monthStretch } from "@telltale/contract/text/months";
import { zoneOf } from "@telltale/contract/text/wall-clock";
import { theChannels } from "../../readings/index.ts";
import { firstReadingOf, hasReadings, hotAmong } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import { monthsOf } from "./package-queries.ts";
import { exportedChannels } from "./queries.ts";
import { monthLabel } from "./rules.ts";

/** Delay between a month's end and its package, milliseconds, so that devices can send buffered readings. */
export const settling = 86_400_000;

interface Month {
  month: number;
  from: number;
  to: number;
  isMade: boolean;
}

type Needs = Pick<World, "db" | "pool" | "clock">;

/** The ended months of a device that may have readings, newest first. */
const endedMonths = async ({ db, pool, clock }: Needs, deviceId: number, timeZoneId: string, ids: number[]) => {
  const wall = zoneOf(timeZoneId);
  const [{ next, made, late }, first] = await Promise.all([
    monthsOf(db, deviceId),
    firstReadingOf(pool, theChannels(ids)),
  ]);
  const current = monthOn(wall, clock.now());
  const undecided = first === null ? current : Math.max(next ?? 0, monthOn(wall, first));
  const months = new Set([...made, ...late]);
  for (let month = undecided; month < current; month++) months.add(month);
  return [...months]
    .filter((month) => month < current)
    .sort((a, b) => b - a)
    .map((month): Month => ({ month, ...monthStretch(wall, month), isMade: made.has(month) }));
};

/** The ended months whose packages are missing, or that still receive readings; newest first. */
export const pendingPackages = async (
  needs: Needs,
  { deviceId, timeZoneId }: { deviceId: number; timeZoneId: string },
): Promise<PendingPackage[]> => {
  const { db, pool, clock } = needs;
  const ids = (await exportedChannels(db, deviceId)).map(({ channelId }) => channelId);
  const months = await endedMonths(needs, deviceId, timeZoneId, ids);
  const hot = await hotAmong(pool, ids, months);
  const pending: PendingPackage[] = [];
  for (const each of months) {
    const isArriving = hot.has(each);
    if (!isArriving && (each.isMade || !(await hasReadings(pool, ids, each)))) continue;
    const ready = each.to + 1 + settling;
    const isSettling = ready > clock.now();
    const state = isSettling ? PackageState.settling : isArriving ? PackageState.arriving : PackageState.making;
    const readyTime = isSettling ? new Date(ready) : null;
    pending.push({ ...monthLabel(each.month), state, isMade: each.isMade, readyTime });
  }
  return pending;
};
