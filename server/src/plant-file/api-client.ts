import { setTimeout as sleep } from "node:timers/promises";
import { CallError, type Client, createClient, UnreachableError } from "@telltale/contract/call/client";
import { Code, Message } from "@telltale/contract/call/codes";
import type { Page } from "@telltale/contract/call/paging";
import { apiKeys } from "@telltale/contract/domains/people/api-keys";

/** Options of a command that calls the API. */
export interface Server {
  url: string;
}

export const urlOption = [
  "--url <address>",
  "the server's address",
  process.env.TELLTALE_URL ?? `http://localhost:${process.env.PORT ?? 8080}`,
] as const;

/** Rows of a page: the most that a call gives. */
const size = 200;

/** All rows of a paged call. */
export const allOf = async <Row>(read: (of: { page: number; size: number }) => Promise<Page<Row>>): Promise<Row[]> => {
  const rows: Row[] = [];
  for (let page = 1; ; page++) {
    const answer = await read({ page, size });
    rows.push(...answer.data);
    if (page >= answer.total_pages) return rows;
  }
};

/** A plant as programs reach it. */
export interface Reached {
  client: Client;
  plantName: string;
  baseUrl: string;
  apiKey: string;
}

/** Seconds after which a key that has made its calls of this minute may go on; undefined for any other fault. */
const secondsToWait = (fault: unknown): number | undefined => {
  if (!(fault instanceof CallError) || fault.code !== Code.tooManyTries) return undefined;
  const [, seconds] = /API key .* in (\d+) s$/.exec(fault.message) ?? [];
  return seconds === undefined ? undefined : Number(seconds);
};

/** A client that waits when its key has made as many calls as it may within a minute: a file of thousands of devices needs more. */
export const patient =
  (client: Client, wait: (milliseconds: number) => Promise<unknown> = sleep): Client =>
  async (call, input, signal) => {
    for (;;) {
      try {
        return await client(call, input, signal);
      } catch (fault) {
        const seconds = secondsToWait(fault);
        if (seconds === undefined) throw fault;
        await wait(seconds * 1000);
      }
    }
  };

/** A client that names the server when none answers: the address may be mistyped, or lead somewhere else. */
const naming =
  (client: Client, baseUrl: string): Client =>
  async (call, input, signal) => {
    try {
      return await client(call, input, signal);
    } catch (fault) {
      if (!(fault instanceof UnreachableError)) throw fault;
      const what =
        fault.message === Message.serverBusy ? "answers with a fault, or is no Telltale server" : "does not answer";
      throw new UnreachableError(`${baseUrl} ${what}: check --url or TELLTALE_URL, and that the server runs`);
    }
  };

/** The address without slashes at its end; throws where it is none, as without `http://`. */
const addressIn = (url: string): string => {
  if (!/^https?:\/\/[^/]/i.test(url) || !URL.canParse(url))
    throw new Error(`${url} is no address such as https://telltale.example.com: check --url or TELLTALE_URL`);
  return url.replace(/\/+$/, "");
};

/** Reaches the plant whose API key is in `TELLTALE_KEY`: as an argument everyone on the machine could read it. */
export const reachPlant = async ({ url }: Server): Promise<Reached> => {
  const apiKey = process.env.TELLTALE_KEY;
  if (!apiKey)
    throw new Error("Set TELLTALE_KEY to an API key of the plant: make one in the console, member info, API keys");
  const baseUrl = addressIn(url);
  const client = naming(patient(createClient({ baseUrl, apiKey })), baseUrl);
  const { plantName } = await client(apiKeys.holder);
  return { client, plantName, baseUrl, apiKey };
};
