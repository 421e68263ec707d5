import type { LiveAlertChange } from "../../live.ts";
import { alerts } from "../alerts.ts";
import { AlertLogChange, type StandingRow } from "./entries.ts";

/** What a live message tells of the lists of a device's alerts. */
export interface ListChange extends Pick<AlertLogChange, "standing" | "places"> {
  deviceId: number;
  /** Alerts that were raised or have changed. */
  rows: StandingRow[];
}

/** What a live message tells of lists of alerts; undefined where it does not, or cannot be read: they are to be fetched then. */
export const listChangeOf = ({ deviceId, unconfirmed, log }: LiveAlertChange): ListChange | undefined => {
  const known = alerts.unconfirmed.result.safeParse(unconfirmed);
  const change = AlertLogChange.safeParse(log);
  if (!known.success || !change.success) return undefined;
  const { changed, waiting, standing, places } = change.data;
  const byId = new Map(known.data.map((row) => [row.alarmLogId, row]));
  const rows = waiting.flatMap((more) => {
    const row = byId.get(more.alarmLogId);
    return row ? [{ ...row, ...more, silence: null }] : [];
  });
  return { deviceId, rows: [...changed, ...rows], standing, places };
};
