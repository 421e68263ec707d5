import { setTimeout as sleep } from "node:timers/promises";
import { devices } from "@telltale/contract/domains/devices";
import type { Trial } from "./trial.ts";

/** Answer of /readyz: its status and text. */
interface Readiness {
  isReady: boolean;
  text: string;
}

const patience = 5_000;

const readinessOf = async (baseURL: string): Promise<Readiness> => {
  const answer = await fetch(`${baseURL}/readyz`, { signal: AbortSignal.timeout(patience) }).catch(() => undefined);
  if (!answer) return { isReady: false, text: `no answer for ${patience / 1000} s` };
  const answers = Object.entries((await answer.json()) as Record<string, string>);
  const faults = answers.filter(([name, text]) => name !== "status" && text !== "ok");
  return { isReady: answer.ok, text: faults.map(([name, text]) => `${name}: ${text}`).join("; ") };
};

/** Polls until the answer matches; after `longest` milliseconds returns the last one. */
export const untilReadiness = async (
  baseURL: string,
  fits: (readiness: Readiness) => boolean,
  longest = 60_000,
): Promise<Readiness & { after: number }> => {
  const began = performance.now();
  for (;;) {
    const readiness = await readinessOf(baseURL);
    const after = performance.now() - began;
    if (fits(readiness) || after > longest) return { ...readiness, after };
    await sleep(250);
  }
};

/** What a user sees who opens the devices: 'answered', or the error message. */
export const callAnswer = ({ client }: Pick<Trial, "client">): Promise<string> =>
  client(devices.list, {}).then(
    () => "answered",
    (fault: unknown) => (fault instanceof Error ? fault.message : String(fault)),
  );
