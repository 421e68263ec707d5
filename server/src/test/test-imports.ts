import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { apiKeys } from "@telltale/contract/domains/people/api-keys";
import { downloads } from "@telltale/contract/domains/readings/downloads";
import { Role } from "@telltale/contract/permissions";
import { Command } from "commander";
import { vi } from "vitest";
import { addImportCommand } from "../import-file/commands.ts";
import { addReadingsCommand } from "../readings-file/commands.ts";
import type { Person } from "./test-people.ts";
import { startTestServer } from "./test-server.ts";

/** What a command printed, and how it ended. */
export interface Ran {
  out: string;
  err: string;
  /** Its exit code; 1 also when it gave up. */
  code: number;
}

/** Runs a command of files of readings with this key, as typed. */
const run = async (apiKey: string, words: readonly string[]): Promise<Ran> => {
  const printed = { out: "", err: "" };
  const note = (to: keyof typeof printed) => (text: unknown) => {
    printed[to] += `${text}\n`;
  };
  const spies = [
    vi.spyOn(console, "log").mockImplementation(note("out")),
    vi.spyOn(console, "error").mockImplementation(note("err")),
  ];
  const before = process.env.TELLTALE_KEY;
  process.env.TELLTALE_KEY = apiKey;
  process.exitCode = 0;
  try {
    const program = new Command().exitOverride();
    addImportCommand(program);
    addReadingsCommand(program);
    await program.parseAsync(words, { from: "user" });
    return { ...printed, code: Number(process.exitCode) };
  } catch (fault) {
    return { ...printed, err: `${printed.err}${fault instanceof Error ? fault.message : fault}\n`, code: 1 };
  } finally {
    process.exitCode = 0;
    process.env.TELLTALE_KEY = before ?? "";
    for (const spy of spies) spy.mockRestore();
  }
};

/** A server that listens, and a folder for files that are imported. Close it in `afterAll`. */
export const startImports = async () => {
  const server = await startTestServer();
  const folder = await mkdtemp(join(tmpdir(), "telltale-import-"));
  const url = await server.app.listen({ port: 0, host: "127.0.0.1" });
  const keyOf = async (person: Person, roleType: Role = Role.owner, readOnly: 0 | 1 = 0): Promise<string> =>
    (await server.as(person)(apiKeys.add, { keyName: "History", roleType, readOnly, days: 30 })).apiKey;
  const keys = new Map<number, string>();
  const ownKey = async (person: Person): Promise<string> => {
    const key = keys.get(person.userId) ?? (await keyOf(person));
    keys.set(person.userId, key);
    return key;
  };
  return {
    ...server,
    url,
    keyOf,
    path: (name: string) => join(folder, name),
    file: async (name: string, content: string | Buffer): Promise<string> => {
      await writeFile(join(folder, name), content);
      return join(folder, name);
    },
    /** Runs `telltale import` or `telltale readings` by a key of this person, or by this key. */
    run: async (by: Person | string, ...words: string[]): Promise<Ran> =>
      run(typeof by === "string" ? by : await ownKey(by), words.includes("--url") ? words : [...words, "--url", url]),
    /** A device's readings of all time as CSV. */
    stored: async (person: Person, deviceId: number): Promise<string[]> => {
      const range = { startTime: new Date("2000-01-01"), endTime: new Date("2100-01-01") };
      const file = await server.as(person)(downloads.readings, { deviceId, ...range });
      return (await file.text()).trimEnd().split("\n").slice(1);
    },
    close: async () => {
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
};

export type TestImports = Awaited<ReturnType<typeof startImports>>;
