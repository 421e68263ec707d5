import { join } from "node:path";
import { devices } from "@telltale/contract/domains/devices";
import { labels } from "@telltale/contract/domains/fleet/labels";
import { freePort, type ReachableServer } from "../../e2e/server-process.ts";
import { type Finding, type Scenario, scaled } from "../finding.ts";
import { createOwner, startFleet } from "../fleet.ts";
import { untilReadiness } from "../readiness.ts";
import { type Machine, missingForMachine, startMachine } from "../systemd/machine.ts";
import { verdict } from "../verdict.ts";

const settingsFile = "/etc/telltale.env";
const dataDir = "/var/lib/telltale";
/** Acknowledgements of each device between two faults. */
const between = 50;
const kills = 10;
/** Most seconds that the guide gives a stop, and a start. */
const [longestStop, longestStart] = [10, 20];

const secondsSince = (began: number): number => (performance.now() - began) / 1000;
const inSeconds = (seconds: number): string => `${seconds.toFixed(1)} s`;

/** A service of systemd. */
interface Service extends ReachableServer {
  /** Seconds until it is ready. */
  ready(): Promise<number>;
}

/** The lines that `telltale service install` says to run, but for the log, which goes on. */
const commandsIn = (said: string): string[] =>
  said
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => /^(useradd|systemctl) /.test(line));

/** Does what the operator's guide says. */
const installService = async (machine: Machine): Promise<Service> => {
  await machine.install();
  const said = await machine.ask("telltale", "service", "install");
  const [port, mqttPort] = [await freePort(), await freePort()];
  await machine.set(settingsFile, { PORT: port, MQTT_PORT: mqttPort, HOST: "127.0.0.1" });
  for (const command of commandsIn(said)) await machine.ask("sh", "-c", command);
  const baseURL = `http://127.0.0.1:${port}`;
  const asUser = ["--uid=telltale", "-p", `EnvironmentFile=${settingsFile}`, "-E", `DATA_DIR=${dataDir}`];
  return {
    baseURL,
    mqttPort,
    // As this machine sees it, for the comparison with what was sent.
    dataDir: join(machine.folder, dataDir),
    telltale: async (...args) =>
      JSON.parse(
        await machine.ask("systemd-run", "--pipe", "--wait", "--quiet", ...asUser, "telltale", ...args, "--json"),
      ),
    ready: async () => {
      const { isReady, after } = await untilReadiness(baseURL, (readiness) => readiness.isReady);
      if (!isReady)
        throw new Error(`The service is not ready: ${await machine.ask("journalctl", "-u", "telltale", "-n", "20")}`);
      return after / 1000;
    },
  };
};

const processOf = (machine: Machine): Promise<string> =>
  machine.ask("systemctl", "show", "--property=MainPID", "--value", "telltale");

const killIt = async (
  machine: Machine,
  service: Service,
  goOn: () => Promise<void>,
  times: number,
): Promise<Finding> => {
  let longest = 0;
  for (let time = 0; time < times; time++) {
    await machine.ask("kill", "-9", await processOf(machine));
    longest = Math.max(longest, await service.ready());
    await goOn();
  }
  return {
    promise: "After kill -9 systemd starts it again, and devices go on",
    counted: `${times} times, ready after ${inSeconds(longest)} at most`,
    isKept: longest < longestStart,
  };
};

const upgradeIt = async (machine: Machine, service: Service, goOn: () => Promise<void>): Promise<Finding> => {
  await machine.install();
  await machine.ask("telltale", "service", "install");
  await machine.ask("systemctl", "daemon-reload");
  const began = performance.now();
  await machine.ask("systemctl", "stop", "telltale");
  const stopped = secondsSince(began);
  const result = await machine.ask("systemctl", "show", "--property=ExecMainStatus", "--value", "telltale");
  await machine.ask("systemctl", "start", "telltale");
  const ready = await service.ready();
  await goOn();
  return {
    promise: "A newer package takes over by the unit's installation and a restart; settings and data stay",
    counted: `stopped after ${inSeconds(stopped)} with ${result}, ready ${inSeconds(ready)} later`,
    isKept: stopped < longestStop && result === "0" && ready < longestStart,
  };
};

const run = async (scale: number): Promise<Finding[]> => {
  const missing = await missingForMachine();
  if (missing) return [{ promise: "Telltale is a service of systemd", counted: missing }];
  const machine = await startMachine();
  try {
    const service = await installService(machine);
    const first = await service.ready();
    const client = await createOwner(service);
    const fleet = await startFleet(service, client);
    const goOn = () => fleet.eachHas(between);
    await goOn();
    const sheet = await client(labels.pdf, { sheet: 1 });
    const { total } = await client(devices.list, {});
    const findings: Finding[] = [
      {
        promise:
          "`telltale service install` and the commands that it names start it, under all of the unit's restrictions",
        counted: `ready ${inSeconds(first)} later; an owner signs in, ${total} devices send`,
        isKept: first < longestStart,
      },
      {
        promise: "What runs in threads of its own works there, too",
        counted: `${sheet.size} bytes of labels as PDF`,
        isKept: sheet.size > 0,
      },
      await killIt(machine, service, goOn, scaled(kills, scale)),
      await upgradeIt(machine, service, goOn),
    ];
    await fleet.finish();
    return [...findings, ...(await verdict(service, fleet))];
  } finally {
    await machine.remove();
  }
};

/** `telltale service install`, under a real systemd. */
export const systemd: Scenario = {
  title: "A service of systemd",
  does: `The package is installed in a Debian of its own, made of Debian's packages, whose systemd is process 1 there, as [the guide](operate/README.md#install) says. While five devices send, the server is killed ${kills} times, and the package installed anew.`,
  run,
};
