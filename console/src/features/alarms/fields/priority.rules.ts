import { AlertPriority } from "@telltale/contract/domains/alerts";

/** What suffers if nobody acts. */
export const consequences = [
  { value: "people", label: "People, environment", short: "People" },
  { value: "equipment", label: "Equipment, product", short: "Equipment" },
  { value: "nuisance", label: "Nuisance", short: "Nuisance" },
] as const;
export type Consequence = (typeof consequences)[number]["value"];

/** How long there is to act. */
export const timesToAct = [
  { value: "minutes", label: "Under 10 minutes", short: "10 min" },
  { value: "hour", label: "Under an hour", short: "1 h" },
  { value: "longer", label: "Longer", short: "longer" },
] as const;
export type TimeToAct = (typeof timesToAct)[number]["value"];

const { high, medium, low } = AlertPriority;

const outcomes: Record<Consequence, Record<TimeToAct, AlertPriority>> = {
  people: { minutes: high, hour: high, longer: medium },
  equipment: { minutes: high, hour: medium, longer: low },
  nuisance: { minutes: medium, hour: low, longer: low },
};

/** The priority that follows from the answers to both questions. (ISA-18.2) */
export const priorityOf = (consequence: Consequence, time: TimeToAct): AlertPriority => outcomes[consequence][time];
