import { setTimeout as sleep } from "node:timers/promises";
import { connectAsync, type IClientOptions, type MqttClient } from "mqtt";
import { addUnit, publish } from "../../e2e/unit.ts";
import type { Finding } from "../finding.ts";
import { type Fleet, owner } from "../fleet.ts";
import { signalPostgres } from "../postgres-process.ts";
import { openConsole } from "./crossings.ts";
import type { Cluster } from "./nodes.ts";

/** As long as a failover takes, seconds. */
const duration = 10;
/** Devices whose connections are watched, beside the fleet: half of them by TLS. */
const devices = 20;

const connectDevices = async ({ nodes: [node], balancer }: Cluster): Promise<MqttClient[]> => {
  if (!node) throw new Error("There is no node");
  const { endpoints, tls } = balancer;
  const byTls: IClientOptions = { protocol: "mqtts", port: tls.port, ca: tls.authority, servername: "localhost" };
  const clients: MqttClient[] = [];
  for (let n = 1; n <= devices; n++) {
    const { accessToken: username } = await addUnit(node, { owner: owner.email, name: `Waiting ${n}` });
    const how: IClientOptions = n % 2 === 0 ? byTls : { protocol: "mqtt", port: endpoints.mqttPort };
    const client = await connectAsync({ ...how, host: "127.0.0.1", username, reconnectPeriod: 0 });
    await publish(client, { AI1: n });
    clients.push(client);
  }
  return clients;
};

const statusOf = (url: string): Promise<number> =>
  fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    ({ status }) => status,
    () => 0,
  );

/** Takes the database away for a while; returns the statuses of an address that needs none, asked each half second meanwhile, 0 without an answer. */
const takeAway = async (databaseDir: string, baseURL: string): Promise<number[]> => {
  const statuses: number[] = [];
  await signalPostgres(databaseDir, "SIGSTOP");
  try {
    for (const until = Date.now() + duration * 1000; Date.now() < until; await sleep(500))
      statuses.push(await statusOf(`${baseURL}/healthz`));
  } finally {
    await signalPostgres(databaseDir, "SIGCONT");
  }
  return statuses;
};

/** The database that all nodes share answers nothing for a while: the balancer keeps the nodes, and their clients the connections. */
export const databaseAway = async (cluster: Cluster, fleet: Fleet): Promise<Finding> => {
  const { nodes, balancer, databaseDir } = cluster;
  if (!nodes[0] || !databaseDir) throw new Error("The cluster has no PostgreSQL of its own");
  const clients = await connectDevices(cluster);
  const { socket } = await openConsole(nodes[0], balancer.endpoints);
  let lost = 0;
  const onClose = (): void => {
    lost += 1;
  };
  for (const client of clients) client.once("close", onClose);
  socket.addEventListener("close", onClose);
  const answers = await takeAway(databaseDir, balancer.endpoints.baseURL);
  await fleet.eachHas(10);
  const counted = `${lost} of ${devices + 1} connections lost; ${answers.filter((status) => status === 200).length} of ${answers.length} answers over HTTP`;
  for (const client of clients) client.off("close", onClose);
  socket.removeEventListener("close", onClose);
  await Promise.all([socket.close(), ...clients.map((client) => client.endAsync())]);
  return {
    promise: `A database that is away for ${duration} s costs no connection of devices, with and without TLS, and consoles`,
    counted,
    isKept: lost === 0 && answers.every((status) => status === 200),
  };
};
