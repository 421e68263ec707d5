import { createContext, type ReactNode } from "react";
import type { TriedAlert } from "../../../domain/alerts/tried-alert.ts";

/** Where the form shows what an alert would have raised: below both columns, as it is about all of its fields. */
export interface TrialPlace {
  element: HTMLElement | null;
  /** The name of the chosen channel. */
  channelName: string;
}

export const TrialPlaceContext = createContext<TrialPlace>({ element: null, channelName: "" });

/** Draws the readings on which an alert was tried. */
export type TrialTrend = (tried: TriedAlert) => ReactNode;

export const TrialTrendContext = createContext<TrialTrend>(() => null);
