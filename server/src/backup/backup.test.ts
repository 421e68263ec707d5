import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { applyMigrations, knownMigrations } from "../platform/database/migrate.ts";
import { announcePresence } from "../platform/database/presence.ts";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../platform/database/test-database.ts";
import { createFiles } from "../platform/files/files.ts";
import { createLog } from "../platform/log.ts";
import { fillEveryTable, rowCounts } from "../test/test-rows.ts";
import { openArchive } from "./archive-reader.ts";
import { createArchive } from "./archive-writer.ts";
import { backUp } from "./backup.ts";
import { foreignKeysOf, migrationsOf } from "./catalogue.ts";
import { type Manifest, manifestPath } from "./manifest.ts";
import { restore } from "./restore.ts";

const clock = { now: () => 1_767_225_600_000, date: () => new Date(1_767_225_600_000) } as never;

let folder: string;
let names: string[];
const databases: TestDatabase[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "telltale-backup-"));
  names = await knownMigrations();
});
afterAll(async () => {
  for (const database of databases) await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const queryRows = async <T>({ url }: TestDatabase, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
};

/** Creates a database with rows in every table, in the schema of the version whose last migration this was. */
const aFullDatabase = async (last: string): Promise<TestDatabase> => {
  const database = await createEmptyDatabase();
  databases.push(database);
  await queryRows(database, async (client) => {
    await client.query("BEGIN");
    await applyMigrations(client, names.slice(0, names.indexOf(last) + 1));
    await fillEveryTable(client);
    await client.query("COMMIT");
  });
  return database;
};

const anotherDatabase = async (): Promise<TestDatabase> => {
  const database = await createTestDatabase();
  databases.push(database);
  return database;
};

let number = 0;
/** A folder for a server's files, and a name for a backup. */
const aPlace = () => {
  number += 1;
  return { dataDir: join(folder, `data-${number}`), file: join(folder, `backup-${number}.zip`) };
};

const backUpOf = async (database: TestDatabase, file: string, dataDir: string): Promise<Manifest> =>
  backUp(file, { databaseUrl: database.url, files: createFiles(dataDir), clock });

/** A database in parts is backed up by its own means; restored, it is whole. */
const whole = test.skipIf(inject("workerUrls").length > 0);

whole.each(["0001-initial.sql", "0012-dashboards.sql", "0021-money.sql", "last"])(
  "a backup of the schema as of %s is restored into this version's, with rows, keys, triggers, sequences and files",
  async (given) => {
    const last = given === "last" ? (names.at(-1) ?? "") : given;
    const { dataDir, file } = aPlace();
    const source = await aFullDatabase(last);
    await createFiles(dataDir).write("firmware/AIS-2.5.0.bin", Readable.from([Buffer.from("image")]));
    const manifest = await backUpOf(source, file, dataDir);
    const counts = await queryRows(source, rowCounts);
    expect(Object.fromEntries(manifest.tables.map(({ name, rows }) => [name, rows]))).toEqual(counts);

    const target = await anotherDatabase();
    const keys = (await queryRows(target, foreignKeysOf)).map(({ add }) => add).sort();
    const other = aPlace().dataDir;
    await createFiles(other).write("packages/9/2020-01.xlsx", Readable.from([Buffer.from("old")]));
    await restore(file, { databaseUrl: target.url, dataDir: other, clock });

    await queryRows(target, async (client) => {
      const after = await rowCounts(client);
      // Unpacked readings of an older version become packed ones.
      const ended = ["sign_ins", "support_links", "sso_flows", "readings", "outbox_folds"];
      expect(Object.entries(counts).filter(([table, n]) => !ended.includes(table) && (after[table] ?? 0) < n)).toEqual(
        [],
      );
      expect(after).toMatchObject({ sign_ins: 0, support_links: 0, outbox_folds: 0 });
      expect(await migrationsOf(client)).toEqual(names);
      expect((await foreignKeysOf(client)).map(({ add }) => add).sort()).toEqual(keys);
      const plant = "INSERT INTO plants (plant_id, name, created_time) VALUES (77, 'New', now())";
      await client.query(plant);
      expect((await client.query("SELECT sms_left FROM sms_credit WHERE plant_id = 77")).rows).toEqual([
        { sms_left: 25 },
      ]);
      const user =
        "INSERT INTO users (email, password_hash, created_time) VALUES ('n@example.test', '', now()) RETURNING user_id";
      expect((await client.query<{ user_id: number }>(user)).rows[0]?.user_id).toBe(4);
    });
    expect(await readFile(join(other, "firmware/AIS-2.5.0.bin"), "utf8")).toBe("image");
    expect(await createFiles(other).list("packages")).toEqual([]);
  },
);

/** Writes a complete archive with another manifest. */
const changed = async (file: string, to: string, change: (manifest: Manifest) => object): Promise<void> => {
  const archive = await openArchive(file);
  const copy = createArchive(to);
  const tables = await Promise.all(
    archive.manifest.tables.map(async (table) => ({
      ...table,
      ...(await copy.add(table.part, await archive.open(table.part))),
    })),
  );
  await copy.finish(manifestPath, JSON.stringify(change({ ...archive.manifest, tables })));
  archive.close();
};

test.each([
  [
    "of a newer format",
    (manifest: Manifest) => ({ ...manifest, format: 99 }),
    /made by a newer Telltale: restore it with that version/,
  ],
  [
    "of a newer schema",
    (manifest: Manifest) => ({ ...manifest, migrations: [...manifest.migrations, "9999-future.sql"] }),
    /made by a newer Telltale \(9999-future\.sql\)/,
  ],
  ["of something else", () => ({ kind: "photo album" }), /is no backup of Telltale/],
  [
    "with a file that leads out",
    (manifest: Manifest) => ({
      ...manifest,
      files: [{ path: "firmware/../../etc/cron", part: "x", bytes: 1, sha256: "0".repeat(64) }],
    }),
    /is no backup of Telltale: its manifest has another form/,
  ],
  [
    "with fewer rows than it says",
    (manifest: Manifest) => ({
      ...manifest,
      tables: manifest.tables.map((table) => (table.name === "users" ? { ...table, rows: 9 } : table)),
    }),
    /users has 3 rows and should have 9/,
  ],
])("a backup %s is refused and changes nothing", async (_what, change, validationError) => {
  const { dataDir, file } = aPlace();
  const source = await aFullDatabase(names.at(-1) ?? "");
  await backUpOf(source, file, dataDir);
  await changed(file, `${file}.changed`, change);
  const target = await aFullDatabase(names.at(-1) ?? "");
  await queryRows(target, (client) => client.query("UPDATE users SET first_name = 'Untouched'"));
  await createFiles(dataDir).write("firmware/kept.bin", Readable.from([Buffer.from("kept")]));
  await expect(restore(`${file}.changed`, { databaseUrl: target.url, dataDir, clock })).rejects.toThrow(
    validationError,
  );
  const { rows } = await queryRows(target, (client) => client.query("SELECT DISTINCT first_name FROM users"));
  expect(rows).toEqual([{ first_name: "Untouched" }]);
  expect(await readFile(join(dataDir, "firmware/kept.bin"), "utf8")).toBe("kept");
});

test("a restore waits until the server has stopped, and the server restarts afterwards", async () => {
  const { dataDir, file } = aPlace();
  const source = await aFullDatabase(names.at(-1) ?? "");
  await backUpOf(source, file, dataDir);
  const log = createLog("silent");
  const output: string[] = [];
  const asks = Promise.withResolvers<void>();
  const server = await announcePresence({
    url: source.url,
    log,
    sharing: "alone",
    onStopForRestore: () => asks.resolve(),
  });
  const restoring = restore(file, { databaseUrl: source.url, dataDir, clock }).then(() => output.push("restored"));
  await asks.promise;
  expect(output).toEqual([]);
  await server.end();
  const again = announcePresence({ url: source.url, log, sharing: "alone", onStopForRestore: () => undefined }).then(
    (presence) => {
      output.push("serves");
      return presence;
    },
  );
  await restoring;
  await (await again).end();
  expect(output.sort()).toEqual(["restored", "serves"]);
});

test("a backup never overwrites a file", async () => {
  const { dataDir, file } = aPlace();
  const database = await anotherDatabase();
  await writeFile(file, "mine");
  await expect(backUpOf(database, file, dataDir)).rejects.toThrow("exists: remove it, or choose another name");
  expect(await readFile(file, "utf8")).toBe("mine");
});
