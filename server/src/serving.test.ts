import { afterAll, beforeAll, expect, test } from "vitest";
import { openLongConnection } from "./backup/long-connection.ts";
import { whileServerStopped } from "./platform/database/serving-lock.ts";
import { createTestDatabase, type TestDatabase } from "./platform/database/test-database.ts";
import { createLog } from "./platform/log.ts";
import { createServing } from "./serving.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test("a restore that begins while the server starts is carried out, and the server starts behind it", async () => {
  const restored: string[] = [];
  const starts: string[] = [];
  let restoring: Promise<unknown> | undefined;
  const client = await openLongConnection(database.url, "restore");
  const serving = createServing({
    ...{ databaseUrl: database.url, sharing: "alone", log: createLog("silent") },
    begin: async (_life, presence) => {
      starts.push(restored.length === 0 ? "before" : "behind");
      restoring ??= whileServerStopped(client, async () => restored.push("restored"));
      // As the first connection of the pool does, until the request has come.
      while (restored.length === 0)
        await presence.confirm(client).then(() => new Promise((next) => setTimeout(next, 10)));
    },
    onStopFault: (_name, fault) => {
      throw fault;
    },
    onFault: (fault) => {
      throw fault;
    },
  });
  await serving.start();
  await restoring;
  expect(starts).toEqual(["before", "behind"]);
  await serving.stop();
  await client.end();
});
