import { AlertStatus, alertStatusLabels } from "@telltale/contract/domains/alerts";

/** How an alert's state is shown: label, shape and tone, never colour alone. */
export interface AlertStatusLook {
  label: string;
  glyph: "diamond-solid-bang" | "diamond-open-bang" | "tick";
  tone: "triggered" | "confirmed" | "cleared";
}

const looks: Record<AlertStatus, Omit<AlertStatusLook, "label">> = {
  [AlertStatus.triggered]: { glyph: "diamond-solid-bang", tone: "triggered" },
  [AlertStatus.confirmed]: { glyph: "diamond-open-bang", tone: "confirmed" },
  [AlertStatus.cleared]: { glyph: "tick", tone: "cleared" },
};

const isAlertStatus = (status: number): status is AlertStatus => status in looks;

/** The look of a state; an unknown state is shown as Triggered, never as handled. */
export const alertStatusLook = (status: number): AlertStatusLook => {
  const known = isAlertStatus(status) ? status : AlertStatus.triggered;
  return { label: alertStatusLabels[known], ...looks[known] };
};
