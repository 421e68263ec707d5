import type { Scenario } from "./finding.ts";
import { backupScenario } from "./scenarios/backup.ts";
import { proxyScenario } from "./scenarios/proxies.ts";

/** Everything that is tried, by the name that `--only` takes, in the order of the page. */
export const scenarios: Record<string, Scenario> = { backup: backupScenario, proxies: proxyScenario };
