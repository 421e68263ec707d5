import { setTimeout as sleep } from "node:timers/promises";
import { startMailServer } from "../../e2e/mail-server.ts";
import type { RunningServer } from "../../e2e/server-process.ts";
import { crossings } from "../cluster/crossings.ts";
import { databaseAway } from "../cluster/database-away.ts";
import { lateReadings } from "../cluster/late-readings.ts";
import { type Cluster, missingProgram, startCluster } from "../cluster/nodes.ts";
import { savesBetween } from "../cluster/saves.ts";
import { standStill } from "../cluster/standstill.ts";
import { inDatabaseAt } from "../database.ts";
import { count, type Finding, type Scenario, scaled } from "../finding.ts";
import { createOwner, type Fleet, startFleet } from "../fleet.ts";
import { mailFindings, startMailedDevice } from "../mailed-device.ts";
import { verdict } from "../verdict.ts";

interface Trial {
  cluster: Cluster;
  fleet: Fleet;
  /** Longest time without an acknowledgement of some device in the course of each fault, milliseconds. */
  gaps: number[];
}

/** Acknowledgements that each device has between two faults. */
const between = 10;
/** The fault comes at a random time within this many milliseconds after them. */
const spread = 400;

const signal = (node: RunningServer, name: NodeJS.Signals): void => void process.kill(node.pid(), name);

/** What happens to a node; each resolves when the node works again. `recovered`: every device is acknowledged again. */
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
  // Hands over its devices while it still works, a part each second.
  SIGTERM: async (node) => {
    await node.terminate();
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

/**
 * Runs `work`; `recovered` resolves when every device is acknowledged again for the first time, `longest` at its end with the longest time in which
 * some device was not, milliseconds.
 */
const watchGaps = (fleet: Fleet, work: (recovered: Promise<void>) => Promise<void>) => {
  const recovered = Promise.withResolvers<void>();
  let isOver = false;
  const watch = async (): Promise<number> => {
    let longest = 0;
    do {
      const began = performance.now();
      await fleet.eachHas(1);
      longest = Math.max(longest, performance.now() - began);
      recovered.resolve();
    } while (!isOver);
    return longest;
  };
  const watching = watch();
  const working = work(recovered.promise).finally(() => {
    isOver = true;
  });
  return { recovered: recovered.promise, longest: Promise.all([watching, working]).then(([longest]) => longest) };
};

const breakNodes = async ({ cluster, fleet, gaps }: Trial, times: number): Promise<void> => {
  for (let turn = 0; turn < times; turn += 1) {
    await untilAllReady(cluster);
    await fleet.eachHas(between);
    await sleep(Math.random() * spread);
    const [name, fault] = anyOf(Object.entries(faults));
    const { recovered, longest } = watchGaps(fleet, (first) => fault(anyOf(cluster.nodes), first));
    await recovered;
    gaps.push(await longest);
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
    promise: `No device is without acknowledgements for more than ${longestGap} s, whatever happens to a node`,
    counted: `${gaps.length} faults: ${seconds(gaps.length >> 1)} s in the middle, ${seconds(-1)} s at most`,
    isKept: (sorted.at(-1) ?? 0) < longestGap * 1000,
  };
};

const run = async (scale: number): Promise<Finding[]> => {
  const missing = await missingProgram();
  if (missing) return [{ promise: "Several nodes lose nothing", counted: missing, isKept: false }];
  const mail = await startMailServer();
  const cluster = await startCluster({ env: { MAIL_URL: mail.url } });
  try {
    const nodes = cluster.nodes as [RunningServer, RunningServer, RunningServer];
    const [node, other] = nodes;
    const client = await createOwner(node);
    const crossed = await crossings([node, other]);
    const hopping = await startMailedDevice(nodes, client, mail);
    const fleet = await startFleet(node, client, [hopping], cluster.balancer.endpoints);
    const trial: Trial = { cluster, fleet, gaps: [] };
    await breakNodes(trial, scaled(200, scale));
    await untilAllReady(cluster);
    const nats = await breakNats(trial);
    const away = await databaseAway(cluster, fleet);
    const stood = await standStill(cluster, fleet);
    await fleet.finish();
    const sent = {
      promise: "Every message is eventually acknowledged",
      counted: count(fleet.acknowledged(), "messages"),
    };
    const stored = await verdict(node, fleet, cluster.databaseUrl);
    const saved = await savesBetween([node, other], client, cluster.databaseUrl, scaled(10_000, scale));
    const late = await lateReadings(nodes, client, cluster.databaseUrl, scaled(2_000, scale));
    const mails = await inDatabaseAt(cluster.databaseUrl, (database) => mailFindings(database, hopping, mail));
    return [{ ...sent, isKept: true }, ...stored, ...mails, gapOf(trial), nats, away, stood, saved, late, ...crossed];
  } finally {
    await cluster.stop();
    await mail.stop();
  }
};

export const clusterScenario: Scenario = {
  title: "Several nodes",
  does: "Three nodes on one PostgreSQL with three NATS servers, behind HAProxy with the file of [the guide](operate/cluster.md). Five devices as above send through HAProxy, over HTTP one message at a time; a sixth, whose alerts are mailed, posts each message to the next node. 200 times a random node is killed, suspended until all devices are acknowledged again, or stopped; then one NATS server, and all of them. The database answers nothing for 10 s. A node stands still for 70 s, right after it has heard a Sparkplug device that reports seldom, the others' offline reporting time being one minute; limits are saved at one node before a reading comes to another; and past readings come to all nodes at once.",
  run,
};
