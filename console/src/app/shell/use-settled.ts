import { useEffect, useState } from "react";

/** Long enough for the first screen to have its script and its data, in milliseconds. */
const soon = 800;

/** Whether the first screen is there, so that what it does not need can follow. */
export const useSettled = (): boolean => {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), soon);
    return () => clearTimeout(timer);
  }, []);
  return isSettled;
};
