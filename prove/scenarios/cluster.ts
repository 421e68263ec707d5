import { setTimeout as sleep } from "node:timers/promises";
import type { RunningServer } from "../../e2e/server-process.ts";
import { type Cluster, startCluster } from "../cluster/nodes.ts";
import { count, type Finding, type Scenario, scaled } from "../finding.ts";
import { createOwner, type Fleet, startFleet } from "../fleet.ts";
import { isInstalled } from "../proxies/program.ts";
import { verdict } from "../verdict.ts";

interface Trial {
  cluster: Cluster;
  fleet: Fleet;
  /** Milliseconds from each fault until every device had acknowledgements again. */
  gaps: number[];
}

/** Acknowledgements that each device has between two faults. */
const between = 10;
/** The fault comes at a random time within this many milliseconds after them. */
const spread = 400;

const signal = (node: RunningServer, name: NodeJS.Signals): void => void process.kill(node.pid(), name);

/** What happens to a node; each resolves when the node works again. */
const faults: Record<string, (node: RunningServer, recovered: Promise<unknown>) => Promise<void>> = {
  "kill -9": async (node, recovered) => {
    await node.kill9();
    await recovered;
    await node.restart();
  },
  SIGSTOP: async (node, recovered) => {
    signal(node, "SIGSTOP");
    await recovered;
    signal(node, "SIGCONT");
  },
  SIGTERM: async (node, recovered) => {
    const ended = node.terminate();
    await recovered;
    await ended;
    await node.restart();
  },
};

const anyOf = <T>(all: readonly T[]): T => {
  const one = all[Math.floor(Math.random() * all.length)];
  if (one === undefined) throw new Error("There is nothing to choose from");
  return one;
};

const isReady = async ({ baseURL }: RunningServer): Promise<boolean> =>
  (await fetch(`${baseURL}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined))?.ok ?? false;

/** The next fault comes when the balancer may use every node again. */
const untilAllReady = async ({ nodes }: Cluster): Promise<void> => {
  while (!(await Promise.all(nodes.map(isReady))).every(Boolean)) await sleep(100);
  await sleep(1_500);
};

const breakNodes = async ({ cluster, fleet, gaps }: Trial, times: number): Promise<void> => {
  for (let turn = 0; turn < times; turn += 1) {
    await untilAllReady(cluster);
    await fleet.eachHas(between);
    await sleep(Math.random() * spread);
    const [name, fault] = anyOf(Object.entries(faults));
    const began = performance.now();
    const recovered = fleet.eachHas(1).then(() => gaps.push(performance.now() - began));
    await fault(anyOf(cluster.nodes), recovered);
    process.stderr.write(`  ${turn + 1} of ${times}: ${name}, ${Math.round(gaps.at(-1) ?? 0)} ms\n`);
  }
};

/** One NATS server, then all of them, killed and started again. */
const breakNats = async ({ cluster, fleet }: Trial): Promise<Finding> => {
  let longest = 0;
  const timed = async (): Promise<void> => {
    const began = performance.now();
    await fleet.eachHas(between);
    longest = Math.max(longest, performance.now() - began);
  };
  for (const killed of [cluster.nats.slice(0, 1), cluster.nats]) {
    await Promise.all(killed.map((server) => server.kill()));
    await timed();
    await sleep(2_000);
    await timed();
    for (const server of killed) server.start();
    await timed();
  }
  const counted = `every device had ${between} more acknowledgements within ${(longest / 1000).toFixed(1)} s each time`;
  return { promise: "Readings do not need NATS: one server killed, then all three", counted, isKept: longest < 3_000 };
};

/** Longest time that devices may be without acknowledgements, seconds. */
const longestGap = 3;

const gapOf = ({ gaps }: Trial): Finding => {
  const sorted = gaps.toSorted((a, b) => a - b);
  const seconds = (at: number) => ((sorted.at(at) ?? 0) / 1000).toFixed(1);
  return {
    promise: `After each fault of a node every device is acknowledged again within ${longestGap} s`,
    counted: `${gaps.length} faults: ${seconds(gaps.length >> 1)} s in the middle, ${seconds(-1)} s at most`,
    isKept: (sorted.at(-1) ?? 0) < longestGap * 1000,
  };
};

const run = async (scale: number): Promise<Finding[]> => {
  for (const program of ["haproxy", "nats-server"])
    if (!(await isInstalled(program)))
      return [{ promise: "Several nodes lose nothing", counted: `${program} is not installed`, isKept: false }];
  const cluster = await startCluster();
  try {
    const [node] = cluster.nodes as [RunningServer];
    const client = await createOwner(node);
    const fleet = await startFleet(node, client, [], cluster.balancer.endpoints);
    const trial: Trial = { cluster, fleet, gaps: [] };
    await breakNodes(trial, scaled(200, scale));
    await untilAllReady(cluster);
    const nats = await breakNats(trial);
    await fleet.finish();
    const sent = {
      promise: "Every message is eventually acknowledged",
      counted: count(fleet.acknowledged(), "messages"),
    };
    return [{ ...sent, isKept: true }, ...(await verdict(node, fleet, cluster.databaseDir)), gapOf(trial), nats];
  } finally {
    await cluster.stop();
  }
};

export const clusterScenario: Scenario = {
  title: "Several nodes",
  does: "Three nodes on one PostgreSQL with three NATS servers, behind HAProxy with the file of [the guide](operate/cluster.md). Five devices as above send through HAProxy, over HTTP one message at a time. 200 times a random node is killed, suspended until all devices are acknowledged again, or stopped; then one NATS server, and all of them.",
  run,
};
