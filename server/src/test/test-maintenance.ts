import { WindowRepeat } from "@telltale/contract/domains/alerting/maintenance";
import { SilenceKind } from "@telltale/contract/domains/alerting/silences";

export const hour = 3_600_000;

/** The times of a window from one moment to another, epoch milliseconds, on the clock of UTC. */
export const windowTimes = (begin: number, end: number) => {
  const [from = "", to = ""] = [begin, end].map((at) => new Date(at).toISOString().slice(11, 16));
  return { from, to, timeZoneId: "UTC", daysLater: to < from ? 1 : 0 };
};

/** The request for a daily maintenance window of devices, from an hour before `now` to an hour after. */
export const aDailyWindow = (now: number, deviceIds: number[], more: object = {}) => ({
  ...{ kind: SilenceKind.maintenance, name: "Drive service", reason: "Belts", deviceIds },
  ...{ repeat: WindowRepeat.daily, ...windowTimes(now - hour, now + hour) },
  ...more,
});
