import { AlertStatus, alertStatusLabels } from "@telltale/contract/domains/alerts";

/** How an alert entry's state looks: its words, its shape, its tone. Never colour alone. */
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

/** The look of an entry's state; one that this console does not know is shown as Triggered, never as dealt with. */
export const alertStatusLook = (status: number): AlertStatusLook => {
  const known = isAlertStatus(status) ? status : AlertStatus.triggered;
  return { label: alertStatusLabels[known], ...looks[known] };
};
