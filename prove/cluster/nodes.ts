import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, type RunningServer, startServer } from "../../e2e/server-process.ts";
import { databaseUrl } from "../database.ts";
import { isInstalled, startProgram } from "../proxies/program.ts";
import { type Balancer, startBalancer } from "./balancer.ts";

/** Three nodes on one PostgreSQL with three NATS servers, behind HAProxy. */
export interface Cluster {
  nodes: readonly RunningServer[];
  balancer: Balancer;
  databaseUrl: string;
  /** Data directory of its PostgreSQL's server; undefined when it was given one. */
  databaseDir: string | undefined;
  /** Ends a NATS server, as by kill -9, and starts it again. */
  nats: readonly { kill(): Promise<void>; start(): void }[];
  stop(): Promise<void>;
}

const natsServer = (folder: string, port: number, cluster: number, routes: readonly number[]) => {
  const args = [
    ...["-a", "127.0.0.1", "-p", String(port), "--name", `nats-${port}`],
    ...["--jetstream", "--store_dir", join(folder, `nats-${port}`)],
    ...["--cluster_name", "prove", "--cluster", `nats://127.0.0.1:${cluster}`],
    ...["--routes", routes.map((route) => `nats://127.0.0.1:${route}`).join(",")],
  ];
  let running = startProgram("nats-server", args);
  return {
    kill: () => running.stop("SIGKILL"),
    start: () => {
      running = startProgram("nats-server", args);
    },
  };
};

const ports = async (count: number): Promise<number[]> => {
  const free: number[] = [];
  for (let at = 0; at < count; at++) free.push(await freePort());
  return free;
};

/** Stops in reverse order what has been started. */
const createStops = () => {
  const stops: (() => Promise<unknown>)[] = [];
  return {
    add: (stop: () => Promise<unknown>): void => void stops.push(stop),
    run: async (): Promise<void> => {
      for (const stop of stops.splice(0).reverse()) await stop();
    },
  };
};

/** A PostgreSQL of which the nodes know the address. */
interface Database {
  url: string;
  /** Its server's data directory; undefined when it was not started here. */
  dataDir: string | undefined;
}

/** A PostgreSQL whose server has been killed, and which goes on without it. */
const startDatabase = async (stops: ReturnType<typeof createStops>): Promise<Database> => {
  const keeper = await startServer({ demo: false });
  stops.add(async () => {
    await keeper.restart();
    await keeper.stop();
  });
  await keeper.kill9();
  return { url: await databaseUrl(keeper.dataDir), dataDir: keeper.dataDir };
};

/** Why a cluster cannot be started on this machine; undefined when it can. */
export const missingProgram = async (): Promise<string | undefined> => {
  for (const program of ["haproxy", "nats-server"])
    if (!(await isInstalled(program))) return `${program} is not installed`;
  return undefined;
};

interface ClusterOptions {
  /** More environment variables of its nodes. */
  env?: Record<string, string>;
  /** By default a PostgreSQL of its own. */
  databaseUrl?: string;
  /** Folder of the code of its nodes, as for another version; by default this one's. */
  code?: string;
}

/** Starts a cluster; when a part does not start, the others are stopped. */
export const startCluster = async (options: ClusterOptions = {}): Promise<Cluster> => {
  const stops = createStops();
  try {
    const folder = await mkdtemp(join(tmpdir(), "telltale-cluster-"));
    stops.add(() => rm(folder, { recursive: true, force: true }));
    const database: Database = options.databaseUrl
      ? { url: options.databaseUrl, dataDir: undefined }
      : await startDatabase(stops);
    const [clients, routes] = [await ports(3), await ports(3)];
    const nats = clients.map((port, at) => natsServer(folder, port, routes[at] ?? 0, routes));
    for (const server of nats) stops.add(server.kill);
    const env = {
      DATABASE_URL: database.url,
      NATS_URL: clients.map((port) => `nats://127.0.0.1:${port}`).join(","),
      TRUST_PROXY: "127.0.0.1",
      ...options.env,
    };
    const nodes: RunningServer[] = [];
    for (let at = 0; at < 3; at++) {
      const node = await startServer({ demo: false, env, ...(options.code ? { code: options.code } : {}) });
      stops.add(node.stop);
      nodes.push(node);
    }
    const balancer = await startBalancer(nodes, folder);
    stops.add(() => balancer.stop());
    return { nodes, balancer, databaseUrl: database.url, databaseDir: database.dataDir, nats, stop: stops.run };
  } catch (fault) {
    await stops.run();
    throw fault;
  }
};
