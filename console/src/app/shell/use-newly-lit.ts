import type { AlertRow } from "@telltale/contract/alerts";
import { useEffect, useRef, useState } from "react";

/** How long the lamp pulses for a new alert, in milliseconds. */
const pulse = 5000;

/** Whether an alert came within the last 5 seconds that was not there before; not so for those found at the start. */
export const useNewlyLit = (alerts: readonly AlertRow[]): boolean => {
  const [isNew, setNew] = useState(false);
  const newest = useRef<number | undefined>(undefined);
  const highest = alerts.reduce((most, { alarmLogId }) => Math.max(most, alarmLogId), 0);
  useEffect(() => {
    const before = newest.current;
    newest.current = Math.max(before ?? 0, highest);
    if (before === undefined || highest <= before) return;
    setNew(true);
    const timer = setTimeout(() => setNew(false), pulse);
    return () => clearTimeout(timer);
  }, [highest]);
  return isNew;
};
