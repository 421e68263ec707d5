import type { Scenario } from "./finding.ts";
import { fuzz } from "./scenarios/fuzz.ts";
import { packages } from "./scenarios/packages.ts";
import { slow } from "./scenarios/slow.ts";

/** Everything that is tried, by the name that `--only` takes, in the order of the page. */
export const scenarios: Record<string, Scenario> = { fuzz, slow, packages };
