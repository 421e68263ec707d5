import type { RunningServer } from "../../e2e/server-process.ts";
import { missingProgram, startCluster } from "../cluster/nodes.ts";
import { hasPostgres, startPostgresPair } from "../cluster/postgres-pair.ts";
import { count, type Finding, type Scenario } from "../finding.ts";
import { createOwner, startFleet } from "../fleet.ts";
import { verdict } from "../verdict.ts";

/** Acknowledgements of each device before the first PostgreSQL ends, and after the other one has taken over. */
const before = 300;
const after = 300;

const run = async (scale: number): Promise<Finding[]> => {
  const promise = "Nothing acknowledged is lost when a standby takes over";
  const missing =
    (await missingProgram()) ?? ((await hasPostgres()) ? undefined : "Debian's postgresql-15 is not installed");
  if (missing) return [{ promise, counted: missing, isKept: false }];
  const postgres = await startPostgresPair();
  try {
    const cluster = await startCluster({ databaseUrl: postgres.url });
    try {
      const [node] = cluster.nodes as [RunningServer];
      const client = await createOwner(node);
      const fleet = await startFleet(node, client, [], cluster.balancer.endpoints);
      await fleet.eachHas(Math.ceil(before * scale));
      const began = performance.now();
      await postgres.failOver();
      await fleet.eachHas(1);
      const gap = (performance.now() - began) / 1000;
      await fleet.eachHas(Math.ceil(after * scale));
      await fleet.finish();
      return [
        ...(await verdict(node, fleet, postgres.url)),
        {
          promise: "Readings are accepted again as soon as the standby has taken over",
          counted: `${count(fleet.acknowledged(), "messages acknowledged")}; all devices again ${gap.toFixed(1)} s after the first PostgreSQL had ended`,
          isKept: gap < 30,
        },
      ];
    } finally {
      await cluster.stop();
    }
  } finally {
    await postgres.stop();
  }
};

export const standby: Scenario = {
  title: "A standby of PostgreSQL takes over",
  does: "Three nodes as above on a PostgreSQL that has a synchronous standby. While five devices send, the first PostgreSQL is ended like by a power cut, the standby is promoted, and the address that the nodes know leads to it.",
  run,
};
