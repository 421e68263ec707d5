import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, request, type ServerResponse } from "node:http";
import { join } from "node:path";
import { imports as calls } from "@telltale/contract/domains/readings/imports";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "../platform/installed.ts";
import { aDevice } from "../test/test-devices.ts";
import { startImports, type TestImports } from "../test/test-imports.ts";
import { anOwner } from "../test/test-people.ts";

let imports: TestImports;
beforeAll(async () => {
  imports = await startImports();
});
afterAll(() => imports.close());

const count = 70_000;

/** Passes requests on to the server. When it has answered the nth portion, `onStored` gets what the client waits for, and the answer is dropped. */
const startProxy = async (nth: number, onStored: (waiting: ServerResponse) => void) => {
  let portions = 0;
  const proxy = createServer((incoming, answer) => {
    const { hostname, port } = new URL(imports.url);
    const { method, url, headers } = incoming;
    const onward = request({ hostname, port, method, path: url, headers }, (response) => {
      const isPortion = url?.startsWith(calls.store.path) ?? false;
      if (isPortion && ++portions === nth) {
        response.resume();
        onStored(answer);
      } else {
        answer.writeHead(response.statusCode ?? 500, response.headers);
        response.pipe(answer);
      }
    });
    incoming.pipe(onward);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const address = proxy.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, close: () => proxy.close() };
};

/** A plant with a file of readings. */
const aFile = async (name: string) => {
  const owner = await anOwner(imports.world);
  const pump = await aDevice(imports.world, owner, { name: "Pump" });
  const from = Date.parse("2026-01-02T00:00:00Z");
  const rows = Array.from({ length: count }, (_, n) => `${from + n * 1000},Pump,AI${1 + (n % 4)},${(n % 1000) / 8}\n`);
  const file = await imports.file(name, `time,device,channel,value\n${rows.join("")}`);
  return { owner, pump, file };
};

test.each([
  ["SIGKILL", ""],
  ["SIGINT", "Interrupted. What was stored stays: the same command goes on from there, within 30 days\n"],
] as const)(
  "an import that was ended by %s after a portion was stored goes on behind it, and nothing is stored or counted twice",
  async (signal, told) => {
    const { owner, pump, file } = await aFile(`${signal}.csv`);
    const apiKey = await imports.keyOf(owner);
    const { promise: stored, resolve } = Promise.withResolvers<unknown>();
    const proxy = await startProxy(2, resolve);
    const program = join(root, "server/src/operator/main.ts");
    const child = spawn(process.execPath, [program, "import", file, "--url", proxy.url], {
      env: { ...process.env, TELLTALE_KEY: apiKey },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let printed = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
    const ended = once(child, "close");
    await Promise.race([stored, ended]);
    child.kill(signal);
    await ended;
    expect(printed).toBe(told);
    proxy.close();
    const before = (await imports.stored(owner, pump.deviceId)).length;
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(count);
    const { out, err } = await imports.run(apiKey, "import", file);
    expect(err).toBe(`Going on at line ${(before + 2).toLocaleString("en-US")}\n`);
    expect(out).toBe("70,000 readings read: 70,000 stored, 0 already there, 0 refused\n");
    expect(new Set(await imports.stored(owner, pump.deviceId)).size).toBe(count);
  },
  120_000,
);

test("a portion whose answer is lost is not sent again: its position tells that it is stored", async () => {
  const { owner, pump, file } = await aFile("lost.csv");
  const proxy = await startProxy(2, (waiting) => waiting.destroy());
  const { out } = await imports.run(owner, "import", file, "--url", proxy.url);
  proxy.close();
  expect(out).toBe("70,000 readings read: 70,000 stored, 0 already there, 0 refused\n");
  expect(await imports.stored(owner, pump.deviceId)).toHaveLength(count);
});

test("two portions at one position: the second is a conflict", async () => {
  const owner = await anOwner(imports.world);
  const { channels } = await aDevice(imports.world, owner);
  const as = imports.as(owner);
  const { importId } = await as(calls.begin, { fileName: "a.csv", digest: "1".repeat(64) });
  const portion = {
    ...{ importId, after: 0, position: 9, line: 1, unreadable: 2, deviceChannelIds: [channels.AI1 ?? 0], counts: [2] },
    ...{ times: [Date.parse("2026-01-02"), Date.parse("2026-01-03")], values: [1, 2] },
  };
  const both = await Promise.allSettled([as(calls.store, portion), as(calls.store, portion)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const known = { importId, position: 9, line: 1, read: 4, stored: 2, present: 0, refused: 2 };
  expect(await as(calls.begin, { fileName: "a.csv", digest: "1".repeat(64) })).toEqual(known);
  expect(await as(calls.end, { importId })).toEqual(known);
  const next = await as(calls.begin, { fileName: "a.csv", digest: "1".repeat(64) });
  expect(next).toMatchObject({ position: 0, stored: 0 });
});
