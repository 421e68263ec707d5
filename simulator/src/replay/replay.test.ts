import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { refusalsCounted, topics } from "@telltale/contract/device-api";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestBroker, type TestBroker } from "../test-broker.ts";

let folder: string;
let broker: TestBroker;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "telltale-replay-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  broker = await startTestBroker();
});
afterEach(() => broker.close());

/** Runs the command as a user does; returns its exit code and output. */
const run = (args: readonly string[]): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    const program = join(import.meta.dirname, "main.ts");
    const env = { ...process.env, TELLTALE_TOKEN: "" };
    execFile(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", program, ...args],
      { env },
      (fault, out, err) => resolve({ code: Number(fault?.code ?? 0), output: out + err }),
    );
  });

const replay = async (content: string, ...args: string[]) => {
  const csv = join(folder, "recording.csv");
  await writeFile(csv, content);
  return run(["--csv", csv, "--url", broker.url, "--token", "secret", ...args]);
};

/** The values of each received sample. */
const sent = () => (broker.on(topics.telemetry) as { ts: number; values: object }[][]).flat();

describe("reading a recording", () => {
  const moments = [
    { ts: Date.UTC(2026, 0, 31, 10), values: { AI1: 1.5, AI2: 20 } },
    { ts: Date.UTC(2026, 0, 31, 10, 1), values: { AI1: 1.75 } },
  ];
  test.each([
    ["commas", "time,p,t\n2026-01-31 10:00:00,1.5,20\n2026-01-31 10:01:00,1.75,\n"],
    ["semicolons and decimal commas", "time;p;t\n2026-01-31 10:00:00;1,5;20,0\n2026-01-31 10:01:00;1,75;\n"],
    ["tabs", "time\tp\tt\n2026-01-31 10:00:00\t1.5\t20\n2026-01-31 10:01:00\t1,75\t\n"],
    ["a byte order mark and CRLF", "\ufefftime,p,t\r\n2026-01-31 10:00:00,1.5,20\r\n2026-01-31 10:01:00,1.75,\r\n"],
    ["quotes", 'time,"p","t"\n"2026-01-31 10:00:00","1,5",20\n"2026-01-31 10:01:00","1.75",""\n'],
    ["a day first", "time;p;t\n31.01.2026 10:00;1,5;20\n31.01.2026 10:01;1,75;\n"],
  ])("with %s", { timeout: 30_000 }, async (_what, content) => {
    const { code, output } = await replay(content, "--time", "time", "--map", "p=AI1", "--map", "t=AI2");
    expect(output).toContain("empty cells 1");
    expect(code).toBe(0);
    expect(sent()).toEqual(moments);
    expect(broker.users, "the token is enough to be known").toEqual(["secret"]);
  });

  test("with an explicit separator when the header does not reveal it", { timeout: 30_000 }, async () => {
    const content = "Pressure, bar; Level, m\n1,5;2,25\n";
    await replay(content, "--separator", "semicolon", "--map", "Pressure, bar=AI1", "--map", "Level, m=AI2");
    expect(sent()).toMatchObject([{ values: { AI1: 1.5, AI2: 2.25 } }]);
  });
});

test("the error for an unknown column lists the existing columns and the separator", async () => {
  const { code, output } = await replay("a;b\n1;2\n", "--map", "c=AI1");
  expect({ code, output }).toEqual({
    code: 2,
    output: expect.stringContaining("Separated by semicolons it has: a, b"),
  });
});

test("without a token a device ID is required", async () => {
  const { code, output } = await run(["--csv", "x.csv", "--map", "a=AI1"]);
  expect({ code, output }).toEqual({ code: 2, output: expect.stringContaining("--token") });
});

describe("the summary states", { timeout: 30_000 }, () => {
  const rows = "p,x\n1,2\n3,4\n";
  const both = ["--map", "p=AI1", "--map", "x=AI9"];
  const counted = (stored: string, refused: string) => ({
    reasonCode: 0,
    properties: { reasonString: "2 of 4 values refused", userProperties: { stored, refused } },
  });

  test("stored and refused values, when the server counts them", async () => {
    broker.receipt = () => counted("2", "2");
    const { code, output } = await replay(rows, ...both);
    expect(output).toMatch(/^stored +2$/m);
    expect(output).toMatch(/^refused +2$/m);
    expect(output).toContain("2 of 4 values refused");
    expect(code).toBe(1);
  });

  test("that everything was stored, when the server counts refusals and reports none", async () => {
    broker.connack = { properties: { userProperties: { ...refusalsCounted } } };
    const { code, output } = await replay(rows, ...both);
    expect(output).toMatch(/^stored +4$/m);
    expect(output).toMatch(/^refused +0$/m);
    expect(code).toBe(0);
  });

  test("that a message was refused as a whole", async () => {
    broker.receipt = () => ({ reasonCode: 0x99 });
    const { code, output } = await replay(rows, ...both);
    expect(output).toMatch(/^refused +4$/m);
    expect(code).toBe(1);
  });

  test("only the acknowledgement, when the server does not count", async () => {
    const { code, output } = await replay(rows, ...both);
    expect(output).toMatch(/^acknowledged +4$/m);
    expect(output).toMatch(/^uncounted +4 acknowledged without a count/m);
    expect(output).not.toMatch(/^(stored|refused)/m);
    expect(code).toBe(0);
  });
});
