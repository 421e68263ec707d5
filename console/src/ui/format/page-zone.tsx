import type { Zone } from "@telltale/contract/text/wall-clock";
import { type ReactNode, useLayoutEffect, useSyncExternalStore } from "react";
import { PageZone } from "./time.ts";

let shown: Zone | undefined;
const listeners = new Set<() => void>();

const show = (zone: Zone | undefined): void => {
  shown = zone;
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

interface ZonedPageProps {
  zone: Zone;
  children: ReactNode;
}

/** A page with all its times in one zone. */
export const ZonedPage = ({ zone, children }: ZonedPageProps): ReactNode => {
  useLayoutEffect(() => {
    show(zone);
    return () => show(undefined);
  }, [zone]);
  return <PageZone value={zone}>{children}</PageZone>;
};

/** The zone of the open page's times, for what is shown over or beside the page; undefined: the browser's. */
export const useShownZone = (): Zone | undefined => useSyncExternalStore(subscribe, () => shown);
