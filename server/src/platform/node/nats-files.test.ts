import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { expect, onTestFinished, test, vi } from "vitest";
import { createTestNatsCluster, hasNats } from "../../test/test-nats.ts";
import { natsFiles } from "./nats-files.ts";

/** Three servers that form a cluster and store files, none of them started. */
const aCluster = async () => {
  const folder = await mkdtemp(join(tmpdir(), "telltale-nats-"));
  const servers = await createTestNatsCluster(3);
  onTestFinished(async () => {
    for (const { stop } of servers) await stop();
    await rm(folder, { recursive: true, force: true });
  });
  return servers.map(({ address, start }, at) => ({
    address,
    start: () => start("--jetstream", "--store_dir", join(folder, String(at))),
  }));
};

const write = (connection: NatsConnection, path: string) =>
  natsFiles({ current: () => connection }, "one").write(path, Readable.from([Buffer.from("content")]));

test.skipIf(!hasNats)("files get their copies when a server comes that was down at first", async () => {
  const [first, second, third] = await aCluster();
  if (!first || !second || !third) throw new Error("three servers");
  await Promise.all([first.start(), second.start()]);
  const open = async () => {
    const connection = await connect({ servers: first.address });
    onTestFinished(() => connection.close());
    return connection;
  };
  const before = await open();
  await vi.waitFor(() => write(before, "firmware/a.bin"), { timeout: 30_000, interval: 500 });
  await third.start();
  const { streams } = await jetstreamManager(before);
  const copies = async () => (await streams.info("OBJ_telltale-one")).config.num_replicas;
  expect(await copies()).toBe(1);
  await vi.waitFor(
    async () => {
      const again = await open();
      await write(again, "firmware/b.bin");
      expect(await copies()).toBe(3);
    },
    { timeout: 30_000, interval: 500 },
  );
});
