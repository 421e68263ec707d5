import { clientOf } from "../../e2e/people.ts";
import { type RunningServer, startServer } from "../../e2e/server-process.ts";
import { count, type Finding, type Scenario, scaled } from "../finding.ts";
import { createFaults, type Faults } from "../fuzz/faults.ts";
import { type CallResults, fuzzCalls } from "../fuzz/fuzz-calls.ts";
import { createFleet, fuzzBodies, fuzzMqtt, fuzzPackets } from "../fuzz/fuzz-devices.ts";
import { startHealthyUnit } from "../healthy-unit.ts";
import { residentKilobytes, watchMemory } from "../memory.ts";
import { seedOfRun } from "../random.ts";

/** Number of each kind at scale 1. */
const counts = { mqtt: 900_000, bodies: 80_000, packets: 20_000, calls: 100_000 };

/** Memory limit of the server, MB. */
const mostMemory = 900;

const owner = "keeper@example.com";
const secret = "as long as it lasts";

/** Log lines in which the server reports a failure. */
const failuresIn = (output: string): string[] => output.split("\n").filter((line) => /"level":[56]0/.test(line));

const callSummary = ({ requested, byCode, slowest }: CallResults): string => {
  const codes = [...byCode].sort(([a], [b]) => a - b).map(([code, times]) => `${code}: ${times}`);
  return `${count(requested, "calls")} (answers by code: ${codes.join(", ")}), the slowest answered after ${Math.round(slowest)} ms`;
};

const faultFindings = (
  server: RunningServer,
  faults: Faults,
  patience: number,
  payloads: string,
  calls: CallResults,
): Finding[] => {
  const failures = failuresIn(server.output());
  for (const line of failures.slice(0, 10)) process.stderr.write(`${line.slice(0, 2_000)}\n`);
  return [
    {
      promise: "No mutated payload or call causes a failure or an answer 500",
      counted: `${payloads}; ${callSummary(calls)}; ${count(faults.count("failed"), "failures")}`,
      isKept: faults.count("failed") === 0,
    },
    {
      promise: `Each is acknowledged or answered within ${patience / 1000} s, or its connection closed`,
      counted: count(faults.count("hung"), "unanswered"),
      isKept: faults.count("hung") === 0,
    },
    {
      promise: "The server's log contains no error",
      counted: count(failures.length, "errors"),
      isKept: failures.length === 0,
    },
  ];
};

const attack = async (server: RunningServer, patience: number, scale: number): Promise<Finding[]> => {
  const faults = createFaults();
  const seed = seedOfRun();
  const [mqtt, bodies, packets] = [
    scaled(counts.mqtt, scale),
    scaled(counts.bodies, scale),
    scaled(counts.packets, scale),
  ];
  const fleet = await createFleet({ server, faults, seed, owner, patience });
  const printProgress = async (what: string) =>
    process.stderr.write(`${what} done, the server holds ${(await residentKilobytes(server.pid())) >> 10} MB\n`);
  for (let part = 0; part < 10; part += 1) {
    await fuzzMqtt({ ...fleet, seed: seed + part }, Math.ceil(mqtt / 10));
    await printProgress(`MQTT messages ${part + 1}0 %`);
  }
  await fuzzBodies(fleet, bodies);
  await printProgress("HTTP bodies");
  await fuzzPackets(fleet, packets);
  await printProgress("Packets");
  const calls = await fuzzCalls({ server, faults, seed, patience }, scaled(counts.calls, scale));
  await printProgress("Calls");
  const payloads = `${count(mqtt, "MQTT messages")}, ${count(bodies, "HTTP bodies")} and ${count(packets, "connections with damaged packets")}`;
  return faultFindings(server, faults, patience, `${payloads}, seed ${seed}`, calls);
};

/** The scenario with another `patience`: the milliseconds within which each message and call is to be answered. */
export const fuzzWith = async (patience: number, scale: number): Promise<Finding[]> => {
  const server = await startServer({ demo: true, env: { TRUST_PROXY: "loopback" } });
  try {
    await server.telltale("users", "add", "--email", owner, "--password", secret, "--owner");
    const mostUsed = watchMemory(server.pid);
    const healthy = await startHealthyUnit(server, owner);
    const findings = await attack(server, patience, scale);
    const { acknowledged, stored, slowest } = await healthy.finish(await clientOf(server, owner, secret));
    const memory = mostUsed();
    return [
      ...findings,
      {
        promise: "A healthy device's readings are still stored",
        counted: `${count(acknowledged, "readings acknowledged")}, ${count(stored, "stored")}, the slowest after ${Math.round(slowest)} ms`,
        isKept: acknowledged > 0 && stored === acknowledged && slowest < patience,
      },
      {
        promise: `The server was never restarted and used at most ${mostMemory} MB of memory`,
        counted: `${memory} MB`,
        isKept: server.isRunning() && memory <= mostMemory,
      },
    ];
  } finally {
    await server.stop();
  }
};

export const fuzz: Scenario = {
  title: "Mutated payloads and calls",
  does: "Devices' messages (JSON, Sparkplug B, raw MQTT packets, HTTP bodies) and every call of the contract, without sign-in and in each role, with fields missing, odd, oversized or of another type. A healthy device reports at the same time.",
  run: (scale) => fuzzWith(5_000, scale),
};
