import { allCalls } from "@telltale/contract/all-calls";
import type { Call, Calls } from "@telltale/contract/call/call";
import { Code } from "@telltale/contract/call/codes";
import { inLanes } from "../lanes.ts";
import { createRandom } from "../random.ts";
import { mutatedCall } from "./calls.ts";
import type { Attacked } from "./fuzz-devices.ts";
import { ask, type HttpAnswer } from "./http-lane.ts";
import { createKnownValues } from "./known-values.ts";
import { people, signInAll } from "./members.ts";

const calls: Call[] = Object.values(allCalls as Record<string, Calls>).flatMap((domain) => Object.values(domain));

/** Calls between two additions of new units to the plant. */
const unitsEvery = 4_000;

/** The envelope of an answer; undefined for a file or anything else. */
const envelopeIn = ({ type, body }: HttpAnswer): { code?: number; result?: unknown } => {
  if (!type.includes("json")) return {};
  try {
    return JSON.parse(body.toString());
  } catch {
    return {};
  }
};

export interface CallResults {
  requested: number;
  /** Counts by the envelope's code; answers without an envelope by their HTTP status. */
  byCode: Map<number, number>;
  slowest: number;
}

/** Makes all calls of the contract repeatedly with mutated fields, without a session and with each role in turn. */
export const fuzzCalls = async ({ server, faults, seed, patience }: Attacked, count: number): Promise<CallResults> => {
  const members = await signInAll(server);
  const known = createKnownValues();
  const results: CallResults = { requested: 0, byCode: new Map(), slowest: 0 };
  await inLanes(16, count, async (number) => {
    if (number % unitsEvery === 0) await members.addUnits();
    const random = createRandom(seed, number);
    const who = people[number % people.length] ?? "nobody";
    const call = calls[Math.floor(number / people.length) % calls.length] as Call;
    const token = members.tokenOf(who);
    const request = mutatedCall(random, call, known, token);
    const answer = await ask(server.baseURL, request, patience);
    const { code, result } = envelopeIn(answer);
    results.requested += 1;
    results.slowest = Math.max(results.slowest, answer.waited);
    results.byCode.set(code ?? answer.status, (results.byCode.get(code ?? answer.status) ?? 0) + 1);
    const what = () =>
      `${who}: ${request.method} ${request.path.slice(0, 300)} ${request.body?.toString().slice(0, 300)}`;
    if (answer.status >= 500) faults.add("failed", number, `${answer.status} to ${what()}`);
    if (answer.status === 0 && answer.waited >= patience) faults.add("hung", number, what());
    if (code === Code.success) known.learn(result);
    if (code === Code.notSignedIn && token !== undefined) await members.signInAgain(who, token);
  });
  return results;
};
