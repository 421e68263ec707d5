import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "@nats-io/transport-node";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createTestNats, hasNats, type TestNats } from "../../test/test-nats.ts";
import { createLog } from "../log.ts";
import { openNatsPeers } from "./nats-peers.ts";
import { MessageTooLarge } from "./peers.ts";

const log = createLog("silent");
const ends: (() => Promise<unknown>)[] = [];
let nats: TestNats;

const open = async (clusterId = "one", address = nats.address) => {
  const [metrics, onMissed] = [new Registry(), vi.fn()];
  const peers = await openNatsPeers({ addresses: [address], clusterId, name: "test", log, metrics, onMissed });
  ends.push(peers.stop);
  const isConnected = async () => /^telltale_nats_connected 1$/m.test(await metrics.metrics());
  const unsent = async () => Number(/^telltale_nats_unsent_total (\d+)$/m.exec(await metrics.metrics())?.[1]);
  return { ...peers, onMissed, isConnected, unsent };
};

describe.skipIf(!hasNats)("the nodes of a cluster, by a NATS server", () => {
  beforeAll(async () => {
    nats = await createTestNats();
    await nats.start();
  });
  afterAll(async () => {
    for (const end of ends) await end();
    await nats.stop();
  });

  test("hear each other, not themselves, and nobody of another cluster", async () => {
    const [here, there, stranger] = [await open(), await open(), await open("two")];
    const heard: [string, unknown][] = [];
    for (const [name, peers] of Object.entries({ here, there, stranger }))
      peers.listen("news", (content) => heard.push([name, content]));
    await vi.waitFor(() => {
      here.publish("news", { value: 1 });
      expect(heard).toContainEqual(["there", { value: 1 }]);
    });
    await sleep(100);
    expect(new Set(heard.map(([name]) => name))).toEqual(new Set(["there"]));
  });

  test("answer what they are asked; a question that nobody can answer has none", async () => {
    const [here, there] = [await open(), await open()];
    there.answer("double", async (content) => (typeof content === "number" ? content * 2 : undefined));
    await vi.waitFor(async () => expect(await here.ask("double", 4, 500)).toBe(8));
    expect(await here.ask("double", "four", 200)).toBeUndefined();
    expect(await here.ask("triple", 4, 200)).toBeUndefined();
  });

  test("are all asked: the answers come until there are enough, without waiting for more", async () => {
    const nodes = [await open(), await open(), await open()];
    for (const [at, peers] of nodes.entries()) peers.answer("number", async () => (at === 0 ? null : at));
    const here = await open();
    const answers = async (subject: string, most: number, timeout: number): Promise<unknown[]> => {
      const found: unknown[] = [];
      for await (const answer of here.askAll(subject, {}, { most, timeout })) found.push(answer);
      return found.sort();
    };
    await vi.waitFor(async () => expect(await answers("number", 4, 200)).toHaveLength(3), 10_000);
    expect(await answers("number", 3, 60_000), "the third answer is the last one").toEqual([1, 2, null]);
    expect(await answers("number", 0, 60_000)).toEqual([]);
    expect(await answers("nothing", 3, 60_000), "nobody can answer").toEqual([]);
  });

  test("go on when they have more to say than NATS takes: lists are cut, other messages counted as not sent, questions fail", async () => {
    const [here, there] = [await open(), await open()];
    const heard: unknown[] = [];
    there.listen("news", (content) => heard.push(content));
    there.answer("echo", async (content) => content);
    there.answer("repeat", async (content) => String(content).repeat(2_000_000));
    await vi.waitFor(async () => expect(await here.ask("echo", "ready", 500)).toBe("ready"));
    const large = "x".repeat(2_000_000);
    const lines = Array.from({ length: 100 }, (_, at) => String(at).repeat(10_000));
    here.publish("news", large);
    here.publishList("news", [large]);
    expect(await here.unsent()).toBe(2);
    here.publishList("news", lines);
    await vi.waitFor(() => expect(heard.flat()).toHaveLength(lines.length));
    expect(heard.flat()).toEqual(lines);
    await expect(here.ask("echo", large, 500)).rejects.toThrow(MessageTooLarge);
    await expect(here.ask("repeat", "x", 60_000), "without waiting for the answer").rejects.toThrow(MessageTooLarge);
    expect(await here.ask("echo", "after", 500)).toBe("after");
  });

  test("ignore what is no message of a node", async () => {
    const there = await open();
    const heard: unknown[] = [];
    there.listen("news", (content) => heard.push(content));
    there.answer("double", async () => 2);
    const stranger = await connect({ servers: `127.0.0.1:${nats.port}` });
    for (const subject of ["news", "double"]) stranger.publish(`telltale.one.${subject}`, "{ not JSON");
    await stranger.close();
    const here = await open();
    await vi.waitFor(() => {
      here.publish("news", "after");
      expect(heard).toContain("after");
    });
    expect(new Set(heard)).toEqual(new Set(["after"]));
    expect(await here.ask("double", 1, 500)).toBe(2);
  });

  test("work on while NATS is away, and hear each other when it is back; what was said meanwhile is reported as missed", async () => {
    const [here, there] = [await open(), await open()];
    const heard: unknown[] = [];
    there.listen("news", (content) => heard.push(content));
    await vi.waitFor(() => {
      here.publish("news", "before");
      expect(heard).toContain("before");
    });
    await nats.stop();
    await vi.waitFor(async () => expect(await here.isConnected()).toBe(false));
    here.publish("news", "while it was away");
    expect(await here.ask("double", 4, 500)).toBeUndefined();
    await nats.start();
    await vi.waitFor(() => expect(there.onMissed).toHaveBeenCalled(), 10_000);
    await vi.waitFor(async () => expect(await here.isConnected()).toBe(true), 10_000);
    await vi.waitFor(() => {
      here.publish("news", "after");
      expect(heard).toContain("after");
    });
    expect(heard).not.toContain("while it was away");
  });

  test("a node starts without NATS and finds the others when it comes", async () => {
    await nats.stop();
    const late = await open();
    const heard: unknown[] = [];
    late.listen("news", (content) => heard.push(content));
    await nats.start();
    await vi.waitFor(() => expect(late.onMissed).toHaveBeenCalled(), 10_000);
    const here = await open();
    await vi.waitFor(() => {
      here.publish("news", "welcome");
      expect(heard).toContain("welcome");
    });
  });

  test("a node that started without NATS, and is refused when it comes, finds the others once NATS is put right", async () => {
    await nats.stop();
    const peers = await open("one", `nats://telltale:right@127.0.0.1:${nats.port}`);
    await nats.start("--user", "telltale", "--pass", "mistyped");
    // Several tries to connect, a second apart.
    await sleep(3_000);
    expect(await peers.isConnected()).toBe(false);
    await nats.stop();
    await nats.start("--user", "telltale", "--pass", "right");
    await vi.waitFor(async () => expect(await peers.isConnected()).toBe(true), 10_000);
    expect(peers.onMissed).toHaveBeenCalled();
  });

  test("wrong credentials end the start with what to do", async () => {
    await nats.stop();
    await nats.start("--user", "telltale", "--pass", "right");
    await expect(open("one", `nats://telltale:wrong@127.0.0.1:${nats.port}`)).rejects.toThrow(
      /^NATS refuses the user and password/,
    );
    const peers = await open("one", `nats://telltale:right@127.0.0.1:${nats.port}`);
    expect(await peers.isConnected()).toBe(true);
  });

  test("a NATS server that refuses everybody for a while is reached again once it is put right", async () => {
    const peers = await open("one", `nats://telltale:right@127.0.0.1:${nats.port}`);
    await nats.stop();
    await nats.start("--user", "telltale", "--pass", "mistyped");
    await vi.waitFor(async () => expect(await peers.isConnected()).toBe(false));
    // Several tries to connect, a second apart.
    await sleep(4_000);
    await nats.stop();
    await nats.start("--user", "telltale", "--pass", "right");
    await vi.waitFor(async () => expect(await peers.isConnected()).toBe(true), 10_000);
  });
});
