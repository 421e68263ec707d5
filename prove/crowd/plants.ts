import { readdir, readFile } from "node:fs/promises";
import type { Client } from "@telltale/contract/call/client";
import { profile } from "@telltale/contract/domains/people/profile";
import { clientOf } from "../../e2e/people.ts";
import { type RunningServer, type ServerOptions, startServer } from "../../e2e/server-process.ts";
import { inDatabase } from "../database.ts";

/** An owner with a plant of analog devices. */
export interface Plant {
  email: string;
  client: Client;
  devices: { deviceSnId: string; accessToken: string }[];
}

export const password = "a password for the trial";

/** Devices added per command: its output must fit into the buffer. */
const batch = 2_000;

const addPlant = async (server: RunningServer, email: string, count: number): Promise<Plant> => {
  await server.telltale("users", "add", "--owner", "--email", email, "--password", password, "--plant", email);
  const client = await clientOf(server, email, password);
  await client(profile.introduce, {
    company: "Trial",
    industry: "Manufacturing",
    firstName: "Tilda",
    lastName: "Trial",
  });
  const devices: Plant["devices"] = [];
  while (devices.length < count) {
    const some = String(Math.min(batch, count - devices.length));
    devices.push(
      ...(await server.telltale<Plant["devices"]>(
        "devices",
        "add",
        "--model",
        "AIS",
        "--count",
        some,
        "--owner",
        email,
      )),
    );
  }
  return { email, client, devices };
};

/** Runs work with a server that has this many plants, with the devices spread over them. */
export const withPlants = async <T>(
  wanted: { plants: number; devices: number; env?: ServerOptions["env"] },
  work: (server: RunningServer, plants: Plant[]) => Promise<T>,
): Promise<T> => {
  const server = await startServer({ demo: false, env: { LOG_LEVEL: "error", ...wanted.env } });
  try {
    const each = Math.ceil(wanted.devices / wanted.plants);
    const plants: Plant[] = [];
    for (let left = wanted.devices, n = 1; left > 0; left -= each, n += 1)
      plants.push(await addPlant(server, `owner-${n}@example.test`, Math.min(each, left)));
    return await work(server, plants);
  } finally {
    await server.stop();
  }
};

/** Reads one row of the server's database, for what no call sets or returns. */
export const ask = <T extends object>({ dataDir }: RunningServer, text: string, values: unknown[] = []): Promise<T> =>
  inDatabase(dataDir, async (client) => ((await client.query(text, values)).rows[0] ?? {}) as T);

/** The server's limit of open files, and the number it has open. */
export const openFiles = async (server: RunningServer): Promise<{ limit: number; open: number }> => {
  const limits = await readFile(`/proc/${server.pid()}/limits`, "utf8");
  const open = (await readdir(`/proc/${server.pid()}/fd`)).length;
  return { limit: Number(/Max open files\s+(\d+)/.exec(limits)?.[1] ?? 0), open };
};
