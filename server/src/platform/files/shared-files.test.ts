import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createTestNats, hasNats, type TestNats } from "../../test/test-nats.ts";
import { systemClock } from "../clock.ts";
import { createLog } from "../log.ts";
import { openNatsPeers } from "../node/nats-peers.ts";
import { createFiles, type FilePath, type Files } from "./files.ts";
import { createOwnFiles, createSharedFiles } from "./shared-files.ts";

const log = createLog("silent");
const ends: (() => Promise<unknown>)[] = [];
let nats: TestNats;
let store: string;

const aFolder = async (name: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), `telltale-${name}-`));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
};
const startNats = () => nats.start("--jetstream", "--store_dir", store);

const loseDisk = async (): Promise<void> => {
  await nats.stop();
  await rm(store, { recursive: true });
  await startNats();
};

/** A node with its own folder, or with another's. */
const aNode = async (storeId = "one", given?: Files) => {
  const metrics = new Registry();
  const peers = await openNatsPeers({
    addresses: [nats.address],
    clusterId: "one",
    name: "test",
    log,
    metrics,
    onMissed: vi.fn(),
  });
  ends.push(peers.stop);
  const local = given ?? createFiles(await aFolder("node"));
  if (!peers.files) throw new Error("NATS has files");
  return {
    local,
    isConnected: () => metrics.metrics(),
    ...createSharedFiles({ local, store: peers.files(storeId), clock: systemClock, log }),
  };
};
type Node = Awaited<ReturnType<typeof aNode>>;

const write = ({ write: writeFile }: Pick<Node, "write">, path: FilePath, content: string) =>
  writeFile(path, Readable.from([Buffer.from(content)]));
const content = async ({ read }: Pick<Node, "read">, path: string): Promise<string | undefined> => {
  const found = await read(path);
  return found && text(found);
};

describe.skipIf(!hasNats)("files of several nodes", () => {
  beforeAll(async () => {
    nats = await createTestNats();
    store = await aFolder("jetstream");
    await startNats();
  });
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
    await nats.stop();
  });

  test("what one node writes, replaces or removes is so on the others, also where they have a copy", async () => {
    const [here, there] = [await aNode(), await aNode()];
    const image = "0123456789".repeat(50_000);
    expect(await write(here, "firmware/a.bin", image)).toBe(500_000);
    expect(await content(there, "firmware/a.bin")).toBe(image);
    expect((await there.readPart("firmware/a.bin", 499_995, 5))?.toString()).toBe("56789");
    expect(await there.readPart("firmware/a.bin", 499_996, 5), "beyond the end").toBeUndefined();
    await write(there, "packages/7/2026-10.zip", "October");
    await write(there, "packages/8/2026-10.zip", "October");
    expect(await here.list("packages")).toEqual(["packages/7/2026-10.zip", "packages/8/2026-10.zip"]);
    expect(await content(here, "packages/7/2026-10.zip")).toBe("October");
    await write(there, "packages/7/2026-10.zip", "October, with late readings");
    expect(await content(here, "packages/7/2026-10.zip")).toBe("October, with late readings");
    await there.remove("packages/7");
    expect(await content(here, "packages/7/2026-10.zip")).toBeUndefined();
    expect(await here.list("packages")).toEqual(["packages/8/2026-10.zip"]);
  });

  test("a copy of what another node has removed, or of a database that was replaced, goes without being asked for", async () => {
    const [here, there] = [await aNode(), await aNode()];
    await write(there, "packages/31/2026-10.zip", "October");
    await write(here, "packages/32/2026-10.zip", "November");
    expect(await content(here, "packages/31/2026-10.zip")).toBe("October");
    await there.remove("packages/31");
    await here.removeGone();
    expect(await here.local.list("packages/31")).toEqual([]);
    expect(await here.local.list("packages/32")).toEqual(["packages/32/2026-10.zip"]);
    await write(here.local, "packages/34/2026-10.zip", "made alone");
    const restored = await aNode("two", here.local);
    await write(restored, "packages/35/2026-10.zip", "October");
    await restored.removeGone();
    expect(await here.local.list("packages/32")).toEqual([]);
    expect(await here.local.list("versions/packages/32")).toEqual([]);
    expect(await content(restored, "packages/34/2026-10.zip"), "not shared yet").toBe("made alone");
    expect(await here.local.list("packages/35"), "of the new database").toEqual(["packages/35/2026-10.zip"]);
  });

  test("what a server wrote while it was alone is newer than what the nodes have, and nothing else of its is", async () => {
    const node = await aNode();
    await write(node, "packages/33/2026-09.zip", "September");
    await write(node, "packages/33/2026-10.zip", "October");
    await write(await aNode(), "packages/33/2026-09.zip", "September, with late readings");
    await write(createOwnFiles(node.local), "packages/33/2026-10.zip", "October, made alone");
    const again = await aNode("one", node.local);
    await again.shareOwn();
    const other = await aNode();
    expect(await content(other, "packages/33/2026-10.zip")).toBe("October, made alone");
    expect(await content(other, "packages/33/2026-09.zip")).toBe("September, with late readings");
  });

  test("a file that is read while it is replaced is the same everywhere afterwards; a lost copy is fetched again", async () => {
    const [here, there] = [await aNode(), await aNode()];
    await write(there, "packages/5/2026-10.zip", "old");
    const replacing = write(here, "packages/5/2026-10.zip", "new");
    await Promise.all([content(here, "packages/5/2026-10.zip"), content(here, "packages/5/2026-10.zip"), replacing]);
    expect(await content(here, "packages/5/2026-10.zip")).toBe("new");
    expect(await content(there, "packages/5/2026-10.zip")).toBe("new");
    await here.local.remove("packages/5/2026-10.zip");
    expect(await content(here, "packages/5/2026-10.zip")).toBe("new");
  });

  test("a node reads its copies while NATS is away; a file that it can't know of is a fault and not a missing file", async () => {
    const [here, there] = [await aNode(), await aNode()];
    await write(here, "firmware/b.bin", "b");
    await write(here, "firmware/c.bin", "c");
    expect(await content(there, "firmware/b.bin")).toBe("b");
    const restored = await aNode("two", there.local);
    await nats.stop();
    await vi.waitFor(async () => expect(await there.isConnected()).toContain("telltale_nats_connected 0"));
    expect(await content(there, "firmware/b.bin")).toBe("b");
    await expect(content(there, "firmware/c.bin")).rejects.toThrow("NATS cannot be reached");
    await vi.waitFor(async () => expect(await restored.isConnected()).toContain("telltale_nats_connected 0"));
    await expect(content(restored, "firmware/b.bin"), "of before the restore").rejects.toThrow(
      "NATS cannot be reached",
    );
    await expect(write(there, "firmware/d.bin", "d")).rejects.toThrow("NATS cannot be reached");
    expect(await there.local.list("firmware"), "a file that only one node has").toEqual(["firmware/b.bin"]);
    await startNats();
    await vi.waitFor(async () => expect(await content(there, "firmware/c.bin")).toBe("c"), 10_000);
    await expect(content(there, "firmware/d.bin")).rejects.toThrow("NATS does not have firmware/d.bin");
  });

  test("what NATS has lost with its disk is read from the copies, and shared again by the nodes that have them", async () => {
    const [here, there] = [await aNode(), await aNode()];
    await write(here, "firmware/i.bin", "i");
    await write(here, "packages/40/2026-10.zip", "October");
    expect((await there.readPart("firmware/i.bin", 0, 1))?.toString()).toBe("i");
    await write(here, "packages/41/2026-10.zip", "not read since an upgrade");
    const [version = ""] = (await content(here.local, "versions/packages/41/2026-10.zip"))?.split(" ") ?? [];
    await write(here.local, "versions/packages/41/2026-10.zip", version);
    await here.removeGone();
    await loseDisk();
    const later = await aNode();
    await vi.waitFor(
      () => expect(content(later, "firmware/i.bin")).rejects.toThrow("NATS does not have firmware/i.bin"),
      10_000,
    );
    await vi.waitFor(async () => {
      expect(await content(there, "firmware/i.bin")).toBe("i");
      expect(await content(later, "firmware/i.bin")).toBe("i");
    }, 10_000);
    await vi.waitFor(() => here.removeGone(), 10_000);
    expect(await content(later, "packages/40/2026-10.zip")).toBe("October");
    expect(await here.list("packages/40")).toEqual(["packages/40/2026-10.zip"]);
    expect(await content(later, "packages/41/2026-10.zip")).toBe("not read since an upgrade");
  });

  test("of copies that are shared again after NATS has lost its disk the newest counts, whoever was first", async () => {
    const [here, there, third] = [await aNode(), await aNode(), await aNode()];
    const path = "packages/42/2026-10.zip";
    await write(here, path, "October");
    expect(await content(there, path)).toBe("October");
    await pause(5);
    await write(here, path, "October, with late readings");
    await loseDisk();
    await vi.waitFor(() => there.removeGone(), 10_000);
    await vi.waitFor(async () => expect(await content(third, path)).toBe("October"), 10_000);
    await vi.waitFor(() => here.removeGone(), 10_000);
    for (const node of [third, there, here, await aNode()])
      expect(await content(node, path)).toBe("October, with late readings");
    await write(there, path, "October, with very late readings");
    expect(await content(here, path)).toBe("October, with very late readings");
  });

  test("what a server had before it became a node is shared, once; what is made anew stays its own", async () => {
    const [here, there] = [await aNode(), await aNode()];
    await write(here.local, "firmware/old.bin", "old");
    await write(here, "manuals/guide.pdf", "PDF");
    await write(there, "packages/9/2026-10.zip", "as nodes had it");
    await write(here.local, "packages/9/2026-10.zip", "as the server alone made it anew");
    expect(await content(here, "packages/9/2026-10.zip"), "before it is shared").toBe(
      "as the server alone made it anew",
    );
    await expect(there.readPart("firmware/old.bin", 0, 3)).rejects.toThrow("NATS does not have firmware/old.bin");
    expect(await here.shareOwn()).toBe(2);
    expect(await here.shareOwn()).toBe(0);
    expect(await content(there, "packages/9/2026-10.zip")).toBe("as the server alone made it anew");
    expect(await content(there, "firmware/old.bin")).toBe("old");
    expect(await content(there, "manuals/guide.pdf")).toBeUndefined();
  });

  test("a node's copies are not taken for the files of a database that was restored", async () => {
    const before = await aNode();
    await write(before, "firmware/e.bin", "e");
    const after = await aNode("two", before.local);
    await expect(content(after, "firmware/e.bin")).rejects.toThrow("NATS does not have firmware/e.bin");
    expect(await after.shareOwn()).toBe(0);
    expect(await after.list("firmware")).toEqual([]);
  });

  test("NATS without JetStream stores nothing, and the error says what to do", async () => {
    await nats.stop();
    await nats.start();
    const node = await aNode();
    await expect(write(node, "firmware/g.bin", "g")).rejects.toThrow("start it with JetStream");
  });
});
