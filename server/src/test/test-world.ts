import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Registry } from "prom-client";
import type { BillingWorld } from "../modules/billing/index.ts";
import { createSandboxPayments } from "../modules/billing/payments/sandbox.ts";
import { createBus } from "../platform/bus/bus.ts";
import { createNotices } from "../platform/bus/device-notices.ts";
import { connect } from "../platform/database/connect.ts";
import type { Sharing } from "../platform/database/serving-lock.ts";
import { createTestDatabase, type TestDatabase } from "../platform/database/test-database.ts";
import { createFiles } from "../platform/files/files.ts";
import { createLog } from "../platform/log.ts";
import { joinNodes } from "../platform/node/join.ts";
import { noPeers, type Peers } from "../platform/node/peers.ts";
import { findParts } from "../readings/index.ts";
import type { PasswordPolicy } from "../world.ts";
import { type TestClock, testClock } from "./test-clock.ts";

export interface TestWorld extends BillingWorld {
  clock: TestClock;
  /** Database URL, for tests that connect by themselves. */
  url: string;
  close(): Promise<void>;
}

interface Wanted {
  database?: TestDatabase;
  clock?: TestClock;
  /** Whether the world is a node of a cluster; absent: it has its database to itself. */
  sharing?: Sharing;
  /** Absent: everybody may sign in with a password. */
  passwords?: PasswordPolicy;
  /** The other nodes; absent: none can be reached. */
  peers?: Peers;
}

/** Creates a world, by default on its own database, which is dropped at the end. Close it in `afterAll`. */
export const createTestWorld = async ({
  database: given,
  clock = testClock(),
  sharing = "alone",
  peers = noPeers,
  passwords = { isOff: false, instead: "" },
}: Wanted = {}): Promise<TestWorld> => {
  const database = given ?? (await createTestDatabase());
  const folder = await mkdtemp(join(tmpdir(), "telltale-files-"));
  const log = createLog("silent");
  const { db, pool, close } = connect(database.url, log);
  await findParts(pool);
  const bus = createBus((fault) => {
    throw fault;
  });
  const notices = createNotices({ pool, bus, log });
  await notices.start();
  const { node, leave } = await joinNodes({ sharing, dataDir: folder, url: database.url, pool, log });
  return {
    db,
    pool,
    log,
    clock,
    bus,
    notices,
    node,
    peers,
    publicUrl: "https://telltale.test",
    passwords,
    metrics: new Registry(),
    files: createFiles(folder),
    payments: createSandboxPayments({ db, clock }),
    closed: { userIds: new Set(), deviceSnIds: new Set() },
    url: database.url,
    close: async () => {
      notices.stop();
      await leave();
      await close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
