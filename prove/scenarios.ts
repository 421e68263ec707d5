import type { Scenario } from "./finding.ts";
import { database } from "./scenarios/database.ts";
import { disk } from "./scenarios/disk.ts";
import { interruptions } from "./scenarios/interruptions.ts";
import { kills } from "./scenarios/kills.ts";
import { stops } from "./scenarios/stops.ts";

/** Everything that is tried, by the name that `--only` takes, in the order of the page. */
export const scenarios: Record<string, Scenario> = { kills, interruptions, database, disk, stops };
