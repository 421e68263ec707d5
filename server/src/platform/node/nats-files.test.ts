import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
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

/** A node's files by one connection, which lasts as long as the node. */
const aNode = async (address: string) => {
  const connection = await connect({ servers: address });
  onTestFinished(() => connection.close());
  return { connection, files: natsFiles({ current: () => connection }, "one") };
};

const minute = 60_000;
const patience = { timeout: 30_000, interval: 500 };

test.skipIf(!hasNats)(
  "files get their copies when a server comes that was down at first, without a node being started again",
  async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const [first, second, third] = await aCluster();
    if (!first || !second || !third) throw new Error("three servers");
    await Promise.all([first.start(), second.start()]);
    const { connection, files } = await aNode(first.address);
    const write = () => files.write("firmware/a.bin", Readable.from([Buffer.from("content")]));
    await vi.waitFor(write, patience);
    const { streams } = await jetstreamManager(connection);
    const copies = async () => (await streams.info("OBJ_telltale-one")).config.num_replicas;
    expect(await copies()).toBe(1);
    await third.start();
    await vi.waitFor(async () => {
      vi.advanceTimersByTime(minute);
      expect(await copies()).toBe(3);
    }, patience);
  },
);
