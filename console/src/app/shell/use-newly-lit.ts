import type { AlertRow } from "@telltale/contract/alerts";
import { useEffect, useRef, useState } from "react";

/** How long the lamp pulses for a new alert, in milliseconds. */
const pulse = 5000;

/** Whether an alert came within the last 5 seconds. Those found when the console opens are not new; undefined: not loaded. */
export const useNewlyLit = (alerts: readonly AlertRow[] | undefined): boolean => {
  const [isNew, setNew] = useState(false);
  const seen = useRef<number | undefined>(undefined);
  const newest = alerts?.reduce((most, { alarmLogId }) => Math.max(most, alarmLogId), 0);
  useEffect(() => {
    if (newest === undefined) return;
    const before = seen.current;
    seen.current = Math.max(before ?? 0, newest);
    if (before === undefined || newest <= before) return;
    setNew(true);
    const timer = setTimeout(() => setNew(false), pulse);
    return () => clearTimeout(timer);
  }, [newest]);
  return isNew;
};
