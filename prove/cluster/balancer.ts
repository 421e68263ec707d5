import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort, type RunningServer } from "../../e2e/server-process.ts";
import type { Endpoints } from "../fleet.ts";
import { makeCertificate, operateFile, run, startProgram } from "../proxies/program.ts";

/** A running HAProxy in front of nodes. */
export interface Balancer {
  endpoints: Endpoints;
  /** MQTT over TLS, and the certificate that signed its own. */
  tls: { port: number; authority: string };
  stop(): Promise<void>;
}

interface Ports {
  web: number;
  mqtt: number;
  mqttTls: number;
}

/** The guide's configuration file with the trial's ports and nodes. */
const trialOf = async (nodes: readonly RunningServer[], { web, mqtt, mqttTls }: Ports): Promise<string> => {
  const changes: [string, string][] = [
    // More than the trial needs, and within the usual limit of open files.
    ["maxconn 200000\n", "maxconn 2000\n"],
    ["bind :80\n", `bind 127.0.0.1:${web}\n`],
    ["bind :1883\n", `bind 127.0.0.1:${mqtt}\n`],
    ["bind :8883 ", `bind 127.0.0.1:${mqttTls} `],
    ["bind :443 ", `bind 127.0.0.1:${await freePort()} `],
    // The trial's consoles come without TLS.
    ["unless { ssl_fc }", "unless { src 127.0.0.1 }"],
    ...nodes.flatMap(({ baseURL, mqttPort }, at): [string, string][] => {
      const [name, port] = [String.fromCharCode(97 + at), new URL(baseURL).port];
      const address = `\${TELLTALE_NODE_${name.toUpperCase()}-10.0.0.${at + 1}}`;
      return [
        [`server ${name} "${address}:1883" port 8080 `, `server ${name} 127.0.0.1:${mqttPort} port ${port} `],
        [`server ${name} "${address}:8080"\n`, `server ${name} 127.0.0.1:${port}\n`],
      ];
    }),
  ];
  let text = await readFile(operateFile("haproxy.cfg"), "utf8");
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`haproxy.cfg has no '${from.trim()}' any more`);
    text = text.replaceAll(from, to);
  }
  return text;
};

/** Starts HAProxy with the guide's configuration file in front of three nodes. */
export const startBalancer = async (nodes: readonly RunningServer[], folder: string): Promise<Balancer> => {
  const ports = { web: await freePort(), mqtt: await freePort(), mqttTls: await freePort() };
  const config = join(folder, "haproxy.cfg");
  await writeFile(config, await trialOf(nodes, ports));
  const { certificate, key } = await makeCertificate(folder);
  const authority = await readFile(certificate, "utf8");
  const env = { TELLTALE_PEM: join(folder, "haproxy.pem") };
  await writeFile(env.TELLTALE_PEM, `${authority}${await readFile(key, "utf8")}`);
  await run("haproxy", ["-c", "-f", config], { env: { ...process.env, ...env } });
  const haproxy = startProgram("haproxy", ["-f", config], env);
  const baseURL = `http://127.0.0.1:${ports.web}`;
  for (let tries = 0; ; tries++) {
    const answer = await fetch(`${baseURL}/healthz`).catch(() => undefined);
    if (answer?.ok) break;
    if (tries > 100 || haproxy.hasEnded()) throw new Error(`HAProxy does not answer: ${haproxy.output()}`);
    await sleep(100);
  }
  return {
    endpoints: { baseURL, mqttPort: ports.mqtt, postedAtOnce: 1 },
    tls: { port: ports.mqttTls, authority },
    stop: haproxy.stop,
  };
};
