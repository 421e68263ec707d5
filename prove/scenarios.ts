import type { Scenario } from "./finding.ts";
import { clocks } from "./scenarios/clocks.ts";
import { crowd } from "./scenarios/crowd.ts";
import { flappingLinks } from "./scenarios/flapping.ts";
import { restart } from "./scenarios/restart.ts";

/** Everything that is tried, by the name that `--only` takes, in the order of the page. */
export const scenarios: Record<string, Scenario> = {
  clocks,
  restart,
  flapping: flappingLinks,
  crowd,
};
