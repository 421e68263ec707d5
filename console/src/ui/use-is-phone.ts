import { useSyncExternalStore } from "react";

const narrow = () => matchMedia("(max-width: 767px)");

const subscribe = (listener: () => void) => {
  const query = narrow();
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
};

/** Whether the screen is as narrow as a phone's: then parts stand in another order. */
export const useIsPhone = (): boolean => useSyncExternalStore(subscribe, () => narrow().matches);
