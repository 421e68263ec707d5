import { cp, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunningServer } from "../../e2e/server-process.ts";
import { missingProgram, startCluster } from "../cluster/nodes.ts";
import { inDatabaseAt } from "../database.ts";
import { count, type Finding, type Scenario } from "../finding.ts";
import { createOwner, startFleet } from "../fleet.ts";
import { verdict } from "../verdict.ts";

const root = join(import.meta.dirname, "../..");
const migrations = "server/src/platform/database/migrations";

/** Environment variable with the folder of the version that the nodes have at first, ready to run. */
const before = process.env.PROVE_BEFORE;

/** What a server needs. */
const parts = ["server", "contract", "console", "simulator", "docs", "package.json"];

const lastOf = async (code: string): Promise<string> =>
  (await readdir(join(code, migrations)))
    .filter((name) => name.endsWith(".sql"))
    .toSorted()
    .at(-1) ?? "";

/** This version with one more migration, as the next one might have. */
const nextVersion = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "telltale-next-"));
  for (const part of parts)
    await cp(join(root, part), join(folder, part), {
      recursive: true,
      filter: (path) => !path.includes("node_modules"),
    });
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  const next = `-- Readable by ${await lastOf(root)} and later.\nALTER TABLE tries ADD COLUMN note text;\n`;
  await writeFile(join(folder, migrations, "9999-next.sql"), next);
  return folder;
};

/** Acknowledgements of each device between two steps. */
const between = 20;

const upgradeEach = async (nodes: readonly RunningServer[], code: string, done: () => Promise<void>) => {
  for (const node of nodes) {
    await done();
    await node.terminate();
    await done();
    await node.restart(code);
  }
  await done();
};

const upgraded = async (url: string, last: string): Promise<Finding> => {
  const { rows } = await inDatabaseAt(url, (database) =>
    database.query<{ nodes: number }>(
      "SELECT count(*)::int AS nodes FROM nodes WHERE schema = $1 AND heard_time > now() - interval '30 seconds'",
      [last],
    ),
  );
  const nodes = rows[0]?.nodes ?? 0;
  return { promise: "Every node has the next version", counted: `${nodes} of 3 with ${last}`, isKept: nodes === 3 };
};

const run = async (): Promise<Finding[]> => {
  const promise = "Nodes are upgraded one after the other, and readings go on";
  const missing = await missingProgram();
  if (missing) return [{ promise, counted: missing, isKept: false }];
  const made = before ? undefined : await nextVersion();
  try {
    const cluster = await startCluster(before ? { code: before } : {});
    try {
      const nodes = cluster.nodes as [RunningServer, RunningServer, RunningServer];
      const client = await createOwner(nodes[0]);
      const fleet = await startFleet(nodes[0], client, [], cluster.balancer.endpoints);
      let longest = 0;
      let last = performance.now();
      const step = async (): Promise<void> => {
        for (let at = 0; at < between; at++) {
          last = performance.now();
          await fleet.eachHas(1);
          longest = Math.max(longest, performance.now() - last);
        }
      };
      await upgradeEach(nodes, made ?? root, step);
      await fleet.finish();
      const output = nodes.map((node) => node.output()).join("\n");
      const refused = output.split("\n").filter((line) => /"level":[56]0/.test(line));
      for (const line of refused.slice(0, 5)) process.stderr.write(`${line.slice(0, 1_000)}\n`);
      return [
        {
          promise,
          counted: `${count(fleet.acknowledged(), "messages")}, the longest wait for one of every device ${(longest / 1000).toFixed(1)} s`,
          isKept: longest < 3_000,
        },
        {
          promise: "Neither version logs an error",
          counted: count(refused.length, "errors"),
          isKept: refused.length === 0,
        },
        await upgraded(cluster.databaseUrl, await lastOf(made ?? root)),
        ...(await verdict(nodes[0], fleet, cluster.databaseUrl)),
      ];
    } finally {
      await cluster.stop();
    }
  } finally {
    if (made) await rm(made, { recursive: true, force: true });
  }
};

export const upgrade: Scenario = {
  title: "Nodes are upgraded one after the other",
  does: "Three nodes as above. While five devices send, each node is stopped and started in the next version, whose database has one more migration; with the folder of an earlier version in `PROVE_BEFORE`, from that one to this.",
  run,
};
