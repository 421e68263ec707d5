import type { Client } from "@telltale/contract/call/client";
import { type RunningServer, type ServerOptions, startServer } from "../e2e/server-process.ts";
import { databaseUrl } from "./database.ts";
import { count, type Finding } from "./finding.ts";
import { createOwner, type Endpoints, type Fleet, startFleet } from "./fleet.ts";
import { verdict } from "./verdict.ts";

/** A server under the load of a fleet. */
export interface Trial {
  server: RunningServer;
  client: Client;
  fleet: Fleet;
}

interface Wanted extends Partial<ServerOptions> {
  /** Where the devices reach the server; by default directly. */
  endpoints?: (server: RunningServer) => Promise<Endpoints>;
  /** The data directory of the server whose PostgreSQL is used; by default its own. */
  databaseDir?: string;
}

/** Runs a trial on a separate server with its own load. At the end everything sent must be acknowledged and stored exactly once. */
export const runTrial = async (
  work: (trial: Trial) => Promise<Finding[]>,
  { endpoints, databaseDir, ...options }: Wanted = {},
): Promise<Finding[]> => {
  const server = await startServer({ demo: false, ...options });
  try {
    const client = await createOwner(server);
    const fleet = await startFleet(server, client, [], await endpoints?.(server));
    const findings = await work({ server, client, fleet });
    await fleet.finish();
    const messages = `${count(fleet.acknowledged(), "messages")}`;
    const sent = { promise: "Every message is eventually acknowledged", counted: messages, isKept: true };
    const url = databaseDir === undefined ? undefined : databaseUrl(databaseDir);
    return [...findings, sent, ...(await verdict(server, fleet, url))];
  } finally {
    await server.stop();
  }
};
