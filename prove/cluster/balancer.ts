import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort, type RunningServer } from "../../e2e/server-process.ts";
import type { Endpoints } from "../fleet.ts";
import { operateFile, run, startProgram } from "../proxies/program.ts";

/** A running HAProxy in front of nodes. */
export interface Balancer {
  endpoints: Endpoints;
  stop(): Promise<void>;
}

/** The guide's configuration file with the trial's ports and nodes. */
const trialOf = async (nodes: readonly RunningServer[], web: number, mqtt: number): Promise<string> => {
  const changes: [string, string][] = [
    // More than the trial needs, and within the usual limit of open files.
    ["maxconn 200000\n", "maxconn 2000\n"],
    ["bind :80\n", `bind 127.0.0.1:${web}\n`],
    ["bind :1883\n", `bind 127.0.0.1:${mqtt}\n`],
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
  const [web, mqtt] = [await freePort(), await freePort()];
  const config = join(folder, "haproxy.cfg");
  await writeFile(config, await trialOf(nodes, web, mqtt));
  await run("haproxy", ["-c", "-f", config]);
  const haproxy = startProgram("haproxy", ["-f", config]);
  const baseURL = `http://127.0.0.1:${web}`;
  for (let tries = 0; ; tries++) {
    const answer = await fetch(`${baseURL}/healthz`).catch(() => undefined);
    if (answer?.ok) break;
    if (tries > 100 || haproxy.hasEnded()) throw new Error(`HAProxy does not answer: ${haproxy.output()}`);
    await sleep(100);
  }
  return { endpoints: { baseURL, mqttPort: mqtt, postedAtOnce: 1 }, stop: haproxy.stop };
};
