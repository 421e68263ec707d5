import type { AlertRow } from "@telltale/contract/domains/alerts";

/** The unconfirmed alerts that the user saw, and when. */
export interface SeenAlerts {
  alerts: readonly AlertRow[];
  /** Their number as shown. */
  label: string;
  time: Date;
}
