import { setTimeout as sleep } from "node:timers/promises";
import { count, type Finding } from "./finding.ts";
import { watchMemory } from "./memory.ts";
import { callAnswer, untilReadiness } from "./readiness.ts";
import type { Trial } from "./trial.ts";

/** A temporary fault. */
export interface Fault {
  /** For example "The disk is full". */
  name: string;
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
  /** How long it lasts after the server has reported it, milliseconds. */
  lasts: number;
  /** What /readyz must report; by default that it is not ready. */
  isReported?: (readiness: { isReady: boolean; text: string }) => boolean;
  /** Most memory the server may use during the fault, MB. */
  memory?: number;
}

const busy = "Server is busy";
const usualMemory = 700;

/** Makes a user's call repeatedly until the time is over; returns each distinct answer. */
const answersFor = async (trial: Trial, milliseconds: number): Promise<string[]> => {
  const answers = new Set<string>();
  for (const until = Date.now() + milliseconds; Date.now() < until; await sleep(500))
    answers.add(await callAnswer(trial));
  return [...answers];
};

/** Applies and ends a fault under load, and observes what the server reports and does. */
export const runFault = async (trial: Trial, fault: Fault): Promise<Finding[]> => {
  const { server, fleet } = trial;
  const { name, lasts, isReported = ({ isReady }) => !isReady, memory = usualMemory } = fault;
  await fleet.eachHas(50);
  const mostMemory = watchMemory(server.pid);
  await fault.begin();
  const readiness = await untilReadiness(server.baseURL, isReported);
  const before = fleet.acknowledged();
  const answers = await answersFor(trial, lasts);
  const acknowledged = fleet.acknowledged() - before;
  await fault.end();
  const ready = await untilReadiness(server.baseURL, ({ isReady, text }) => isReady && !text.includes("slow"));
  await fleet.eachHas(10, 120_000);
  const most = mostMemory();
  const first = `${(readiness.after / 1000).toFixed(1)} s later /readyz says "${readiness.text}"`;
  const meanwhile = `${answers.join(", ")}; ${count(acknowledged, "messages")} of devices acknowledged during it`;
  const back = `ready ${(ready.after / 1000).toFixed(1)} s later`;
  const isPolite = answers.every((answer) => answer === "answered" || answer === busy);
  return [
    { promise: `${name}: /readyz reports it`, counted: first, isKept: isReported(readiness) },
    { promise: `${name}: users get an answer or 'Server is busy'`, counted: meanwhile, isKept: isPolite },
    { promise: `${name}: memory stays bounded`, counted: `${most} MB at most`, isKept: most < memory },
    {
      promise: `${name}: the server recovers without intervention`,
      counted: back,
      isKept: ready.isReady && server.isRunning(),
    },
  ];
};
