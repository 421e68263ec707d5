import { setTimeout as sleep } from "node:timers/promises";
import { count, type Finding, type Scenario, scaled } from "../finding.ts";
import { signalPostgres } from "../postgres-process.ts";
import { startTcpProxy, type TcpProxy } from "../tcp-proxy.ts";
import { runTrial, type Trial } from "../trial.ts";

const pauseOf = (scale: number): number => Math.max(2, Math.round(30 * Math.min(1, scale * 4))) * 1000;

/** Suspends processes in the middle of their work, and resumes them. */
const freeze = async (fleet: Trial["fleet"], times: number, pause: number, send: (name: NodeJS.Signals) => unknown) => {
  let longest = 0;
  for (let turn = 0; turn < times; turn += 1) {
    await fleet.eachHas(200);
    await send("SIGSTOP");
    await sleep(pause);
    await send("SIGCONT");
    const began = performance.now();
    await fleet.eachHas(1);
    longest = Math.max(longest, performance.now() - began);
  }
  return longest / 1000;
};

const thaw = (what: string, times: number, pause: number, longest: number): Finding => ({
  promise: `${what} resumes without intervention after a suspension`,
  counted: `${times} times ${pause / 1000} s; at most ${longest.toFixed(1)} s later every device was acknowledged again`,
  isKept: longest < 60,
});

const cutAgain = async ({ fleet }: Trial, proxies: readonly TcpProxy[], times: number): Promise<Finding> => {
  let cut = 0;
  for (let turn = 0; turn < times; turn += 1) {
    await sleep(Math.random() * 1_000);
    for (const proxy of proxies) cut += proxy.cut(0.5);
  }
  await fleet.eachHas(10);
  return {
    promise: "Devices continue after dropped connections",
    counted: `${count(cut, "connections")} dropped at ${times} random moments`,
    isKept: cut > 0,
  };
};

const portOf = (baseURL: string): number => Number(new URL(baseURL).port);

const run = async (scale: number): Promise<Finding[]> => {
  const proxies: TcpProxy[] = [];
  const times = scaled(3, scale);
  const pause = pauseOf(scale);
  const work = async (trial: Trial): Promise<Finding[]> => {
    const { server, fleet } = trial;
    const cuts = await cutAgain(trial, proxies, scaled(200, scale));
    const own = await freeze(fleet, times, pause, (name) => process.kill(server.pid(), name));
    const database = await freeze(fleet, times, pause, (name) => signalPostgres(server.dataDir, name));
    return [cuts, thaw("A server", times, pause, own), thaw("A PostgreSQL", times, pause, database)];
  };
  try {
    return await runTrial(work, {
      endpoints: async ({ baseURL, mqttPort }) => {
        const [http, mqtt] = [
          await startTcpProxy({ host: "127.0.0.1", port: portOf(baseURL) }),
          await startTcpProxy({ host: "127.0.0.1", port: mqttPort }),
        ];
        proxies.push(http, mqtt);
        return { baseURL: `http://127.0.0.1:${http.port}`, mqttPort: mqtt.port };
      },
    });
  } finally {
    for (const proxy of proxies) await proxy.stop();
  }
};

export const interruptions: Scenario = {
  title: "Suspended processes and dropped connections",
  does: "Under full load the devices' connections, which go through a proxy, are dropped at random moments, half of them at a time. Then the server is suspended (SIGSTOP) for 30 s and resumed, 3 times, and PostgreSQL with all its processes likewise.",
  run,
};
