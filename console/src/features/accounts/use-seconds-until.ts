import { useEffect, useState } from "react";

const secondsUntil = (moment: number) => Math.max(0, Math.ceil((moment - Date.now()) / 1000));

/** Whole seconds until this moment, epoch milliseconds, counting down; 0 when it has passed. */
export const useSecondsUntil = (moment: number): number => {
  const [, tick] = useState(0);
  const left = secondsUntil(moment);
  const isWaiting = left > 0;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => tick((count) => count + 1), 250);
    return () => clearInterval(timer);
  }, [isWaiting]);
  return left;
};
