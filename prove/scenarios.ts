import type { Scenario } from "./finding.ts";
import { fuzz } from "./scenarios/fuzz.ts";

/** Everything that is tried, by the name that `--only` takes, in the order of the page. */
export const scenarios: Record<string, Scenario> = { fuzz };
