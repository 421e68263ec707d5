import { useEffect, useState } from "react";
import { serverNow } from "./server-time.ts";

const second = 1000;
const minute = 60 * second;

/** The server's time, in epoch milliseconds, for the time passed since a moment: renewed each second in its first minute, then every ten. */
export const useNow = (since: number, isExact = false): number => {
  const [now, setNow] = useState(serverNow);
  const isYoung = isExact || now - since < minute;
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), isYoung ? second : 10 * second);
    return () => clearInterval(timer);
  }, [isYoung]);
  return now;
};
