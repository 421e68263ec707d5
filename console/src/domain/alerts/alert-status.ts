import type { SilenceKind } from "@telltale/contract/domains/alerting/silences";
import { type AlertRow, AlertStatus, alertStatusLabels } from "@telltale/contract/domains/alerts";

/** How an alert's state is shown: label, shape and tone, never colour alone. */
export interface AlertStatusLook {
  label: string;
  glyph: "diamond-solid-bang" | "diamond-open-bang" | "tick" | "clock";
  tone: "triggered" | "confirmed" | "cleared" | "silent";
}

const looks: Record<AlertStatus, Omit<AlertStatusLook, "label">> = {
  [AlertStatus.triggered]: { glyph: "diamond-solid-bang", tone: "triggered" },
  [AlertStatus.confirmed]: { glyph: "diamond-open-bang", tone: "confirmed" },
  [AlertStatus.cleared]: { glyph: "tick", tone: "cleared" },
};

const isAlertStatus = (status: number): status is AlertStatus => status in looks;

/** The look of a state; an unknown state is shown as Triggered, never as handled. One of which nobody is notified keeps its word, without red. */
export const alertStatusLook = (status: number, isSilent = false): AlertStatusLook => {
  const known = isAlertStatus(status) ? status : AlertStatus.triggered;
  const label = alertStatusLabels[known];
  return isSilent ? { label, glyph: "clock", tone: "silent" } : { label, ...looks[known] };
};

/** Whether an alert is shown as one of which nobody is notified; of one that has cleared, of which nobody was when it was raised. */
export const isShownSilent = ({
  status,
  isSilent,
  wasSilent,
}: Pick<AlertRow, "status" | "isSilent" | "wasSilent">): boolean =>
  isSilent || (status === AlertStatus.cleared && wasSilent);

/** What is said of a silence before its end: a shelf, out of service, maintenance, a silent master. */
export const silenceLabels: Record<SilenceKind, string> = {
  1: "Shelved until",
  2: "Out of service until",
  3: "Maintenance until",
  4: "Master silent until",
};
