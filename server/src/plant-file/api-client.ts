import { type Client, createClient } from "@telltale/contract/call/client";
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

/** A plant as programs reach it. */
export interface Reached {
  client: Client;
  plantName: string;
  baseUrl: string;
  apiKey: string;
}

/** Reaches the plant whose API key is in `TELLTALE_KEY`: as an argument everyone on the machine could read it. */
export const reachPlant = async ({ url }: Server): Promise<Reached> => {
  const apiKey = process.env.TELLTALE_KEY;
  if (!apiKey)
    throw new Error("Set TELLTALE_KEY to an API key of the plant: make one in the console, member info, API keys");
  const baseUrl = url.replace(/\/+$/, "");
  const client = createClient({ baseUrl, apiKey });
  const { plantName } = await client(apiKeys.holder);
  return { client, plantName, baseUrl, apiKey };
};
