import { CallError, type Client } from "@telltale/contract/call/client";
import { Code } from "@telltale/contract/call/codes";
import { apiKeys } from "@telltale/contract/domains/people/api-keys";
import { expect, test, vi } from "vitest";
import { patient, reachPlant } from "./api-client.ts";

/** A client whose first calls are refused so. */
const refusing = (faults: CallError[], answer: Client): Client =>
  ((call, input) => {
    const fault = faults.shift();
    return fault ? Promise.reject(fault) : answer(call, input);
  }) as Client;

const answer = (async () => []) as unknown as Client;
const perMinute = "This API key has made more than 12000 calls within a minute. Please try again in 7 s";

test("a key that has made all its calls of a minute waits until it may go on", async () => {
  const waits: number[] = [];
  const limited = [new CallError(Code.tooManyTries, perMinute), new CallError(Code.tooManyTries, perMinute)];
  const client = patient(refusing(limited, answer), async (milliseconds) => waits.push(milliseconds));
  expect(await client(apiKeys.list, {})).toEqual([]);
  expect(waits).toEqual([7_000, 7_000]);
});

test.each([
  ["http://localhost:1", "http://localhost:1 does not answer: check --url or TELLTALE_URL, and that the server runs"],
  ["localhost:8080", "localhost:8080 is no address such as https://telltale.example.com: check --url or TELLTALE_URL"],
  ["", " is no address such as https://telltale.example.com"],
])("a wrong address is told, and where it is set: %j", async (url, told) => {
  vi.stubEnv("TELLTALE_KEY", "telltale_any");
  await expect(reachPlant({ url })).rejects.toThrow(told);
  vi.unstubAllEnvs();
});

test("a refusal of another kind is told at once", async () => {
  const guesses = new CallError(Code.tooManyTries, "Too many tries. Please try again in 5 minutes");
  const wait = () => Promise.reject(new Error("It waited"));
  await expect(patient(refusing([guesses], answer), wait)(apiKeys.list, {})).rejects.toBe(guesses);
});
