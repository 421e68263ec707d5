import { useEffect, useState } from "react";

const second = 1000;
const minute = 60 * second;

/** The browser's time, in epoch milliseconds, for the time passed since a moment: renewed each second in its first minute, then every ten. */
export const useNow = (since: number, isExact = false): number => {
  const [now, setNow] = useState(() => Date.now());
  const isYoung = isExact || now - since < minute;
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), isYoung ? second : 10 * second);
    return () => clearInterval(timer);
  }, [isYoung]);
  return now;
};
