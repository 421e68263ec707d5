import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { type RunningServer, startServer } from "../../e2e/server-process.ts";
import type { LoadDevice } from "../../simulator/src/load/publisher.ts";
import { withDatabaseUrl, withPool } from "../bench-database.ts";
import { withServer } from "../bench-server.ts";
import { type Consumption, consumptionOf } from "../consumption.ts";
import { type Figure, fixed, ratio } from "../figure.ts";
import { type Fleet, measure, readingsPerMessage } from "../fleet-load.ts";
import { withNats } from "../nats-server.ts";

// Each of three nodes compiles for itself what a server alone compiles once, which a node that serves for days does not notice.
const common = { devices: 300, inFlight: 40, goal: "", walGoal: "", warmUp: 40_000 };

/** The fewer messages a node has, the fewer share a commit. The first is 1,667 messages a second for each of three nodes, what 100,000 devices send by the minute. */
const fleets: readonly Fleet[] = [
  { ...common, name: "50,000 readings/s", rate: 50_000 / readingsPerMessage },
  { ...common, name: "150,000 readings/s", rate: 150_000 / readingsPerMessage },
  { ...common, name: "as fast as acknowledged" },
];
const seconds = 40;

const nodes = 3;

/** Processor seconds a reading, and readings a second. */
interface Cost {
  servers: number;
  postgres: number;
  perSecond: number;
}

/** Sends the fleet from as many load processes as `parts`, each to the next server: how bursts of messages arrive does not depend on the number of servers. */
const costOf = async (
  pool: Pool,
  fleet: Fleet & { parts: number },
  servers: readonly [RunningServer, ...RunningServer[]],
  devices: LoadDevice[],
): Promise<Cost> => {
  const { parts } = fleet;
  const looks: Consumption[][] = [];
  const look = async () =>
    void looks.push(await Promise.all(servers.map((server) => consumptionOf(pool, server.pid()))));
  const part = Math.ceil(devices.length / parts);
  const rate = fleet.rate === undefined ? {} : { rate: fleet.rate / parts };
  const loads = Array.from({ length: parts }, (_, at) => {
    const { mqttPort } = servers[at % servers.length] ?? servers[0];
    const around = at === 0 ? { begin: look, end: look } : {};
    return measure(mqttPort, devices.slice(at * part, (at + 1) * part), { ...fleet, ...rate }, seconds, around);
  });
  const measured = await Promise.all(loads);
  const readings = measured.reduce((sum, stats) => sum + stats.readings, 0);
  const [before = [], after = []] = looks;
  const used = (at: number, of: keyof Consumption) => (after[at]?.[of] ?? 0) - (before[at]?.[of] ?? 0);
  return {
    servers: servers.reduce((sum, _server, at) => sum + used(at, "server"), 0) / readings,
    postgres: used(0, "postgres") / readings,
    perSecond: measured.reduce((sum, stats) => sum + stats.perSecond, 0),
  };
};

const alone = (fleet: Fleet, parts: number): Promise<Cost> =>
  withDatabaseUrl((url) =>
    withServer(
      fleet.devices,
      (server) =>
        withPool(url, (pool) => sleep(5_000).then(() => costOf(pool, { ...fleet, parts }, [server], server.devices))),
      { DATABASE_URL: url },
    ),
  );

const threeNodes = (fleet: Fleet): Promise<Cost> =>
  withDatabaseUrl((url) =>
    withNats((nats) => {
      const env = { DATABASE_URL: url, NATS_URL: nats };
      return withServer(
        fleet.devices,
        async (first) => {
          const others: RunningServer[] = [];
          try {
            for (let at = 0; at < nodes - 1; at++)
              others.push(await startServer({ demo: false, env: { LOG_LEVEL: "error", ...env } }));
            await sleep(5_000);
            return await withPool(url, (pool) =>
              costOf(pool, { ...fleet, parts: nodes }, [first, ...others], first.devices),
            );
          } finally {
            await Promise.all(others.map((other) => other.stop()));
          }
        },
        env,
      );
    }),
  );

/** What a server alone takes that has as many devices and messages as each of the nodes had. */
const withShare = (fleet: Fleet, { perSecond }: Cost): Promise<Cost> =>
  alone({ ...fleet, devices: fleet.devices / nodes, rate: perSecond / nodes / readingsPerMessage }, 1);

const compared = async (fleet: Fleet): Promise<Figure[]> => {
  const [one, three] = [await alone(fleet, nodes), await threeNodes(fleet)];
  const share = await withShare(fleet, three);
  const figures = (name: string, of: keyof Cost): Figure[] =>
    [["a server alone", one] as const, ["a server alone with a third of the load", share] as const].map(
      ([baseline, cost]) => ({
        name: `${fleet.name}: processor time of ${name} a reading, three nodes`,
        goal: "<= 1.1",
        measured: fixed(three[of] * 1e6, 2, "µs"),
        baseline: `${baseline}: ${fixed(cost[of] * 1e6, 2, "µs")}`,
        ratio: ratio(three[of], cost[of]),
      }),
    );
  return [...figures("the servers", "servers"), ...figures("PostgreSQL", "postgres")];
};

/**
 * What a reading costs with three nodes on one database, beside a server alone: with the same load, and with what each of the nodes has. The first tells
 * what three nodes cost on one machine; the second what being one of several costs a node, without that fewer messages a node share a commit.
 */
export const cluster = async (): Promise<Figure[]> => {
  const figures: Figure[] = [];
  for (const fleet of fleets) figures.push(...(await compared(fleet)));
  return figures;
};
