import type { Scenario } from "./finding.ts";
import { alarmsScenario } from "./scenarios/alarms.ts";
import { backupScenario } from "./scenarios/backup.ts";
import { citus } from "./scenarios/citus.ts";
import { clocks } from "./scenarios/clocks.ts";
import { clusterScenario } from "./scenarios/cluster.ts";
import { container } from "./scenarios/container.ts";
import { crowd } from "./scenarios/crowd.ts";
import { database } from "./scenarios/database.ts";
import { disk } from "./scenarios/disk.ts";
import { flappingLinks } from "./scenarios/flapping.ts";
import { fuzz } from "./scenarios/fuzz.ts";
import { interruptions } from "./scenarios/interruptions.ts";
import { kills } from "./scenarios/kills.ts";
import { packages } from "./scenarios/packages.ts";
import { proxyScenario } from "./scenarios/proxies.ts";
import { restart } from "./scenarios/restart.ts";
import { slow } from "./scenarios/slow.ts";
import { standby } from "./scenarios/standby.ts";
import { stops } from "./scenarios/stops.ts";
import { systemd } from "./scenarios/systemd.ts";
import { upgrade } from "./scenarios/upgrade.ts";

/** All scenarios by the name that `--only` takes, in the order of the page. */
export const scenarios: Record<string, Scenario> = {
  kills,
  alarms: alarmsScenario,
  interruptions,
  database,
  disk,
  stops,
  clocks,
  restart,
  flapping: flappingLinks,
  crowd,
  fuzz,
  slow,
  packages,
  backup: backupScenario,
  proxies: proxyScenario,
  container,
  systemd,
  cluster: clusterScenario,
  upgrade,
  standby,
  citus,
};
