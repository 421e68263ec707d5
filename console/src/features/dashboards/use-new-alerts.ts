import type { AlertRow } from "@telltale/contract/alerts";
import { useState } from "react";

/** Of all alerts those that were raised after `highest`, the newest id that was known before. */
const raisedAfter = (alerts: readonly AlertRow[], highest: number) =>
  alerts.filter((alert) => alert.alarmLogId > highest);

/** The unconfirmed alerts that came since the screen was opened; those that were there before are not new. */
export const useNewAlerts = (alerts: readonly AlertRow[], isPending: boolean): readonly AlertRow[] => {
  const [known, setKnown] = useState<number>();
  if (isPending) return [];
  if (known === undefined) {
    setKnown(Math.max(0, ...alerts.map((alert) => alert.alarmLogId)));
    return [];
  }
  return raisedAfter(alerts, known);
};
