import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { apiKeys } from "@telltale/contract/domains/people/api-keys";
import { Role } from "@telltale/contract/permissions";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiExamples } from "../../platform/http/api-examples.ts";
import { aDevice } from "../../test/test-devices.ts";
import { anOwner } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;
let folder: string;
let env: NodeJS.ProcessEnv;
let deviceId: number;

beforeAll(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), "telltale-examples-"));
  const owner = await anOwner(server.world);
  ({ deviceId } = await aDevice(server.world, owner, { name: "Sump station" }));
  const wanted = { keyName: "Examples", roleType: Role.installer, readOnly: 1, days: 30 } as const;
  const { apiKey } = await server.as(owner)(apiKeys.add, wanted);
  const address = await server.app.listen({ port: 0, host: "127.0.0.1" });
  env = { ...process.env, TELLTALE_URL: address, TELLTALE_KEY: apiKey };
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/** How an example is run: its file's name, and the program with its arguments. */
const ways: Record<string, { file: string; program: string; args: string[] }> = {
  curl: { file: "example.sh", program: "sh", args: ["-e"] },
  TypeScript: { file: "example.mts", program: process.execPath, args: ["--disable-warning=ExperimentalWarning"] },
  Python: { file: "example.py", program: "python3", args: [] },
};

const isInstalled = (program: string): boolean => {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};
const needs: Record<string, string> = { curl: "curl", TypeScript: process.execPath, Python: "python3" };

for (const { language, text } of apiExamples) {
  test.skipIf(!isInstalled(needs[language] ?? language))(
    `the example in ${language} runs as it is printed`,
    async () => {
      const way = ways[language];
      if (!way) throw new Error(`Nobody knows how to run the example in ${language}`);
      const file = join(folder, way.file);
      // The curl example names a device.
      await writeFile(file, text.replaceAll("deviceId=1", `deviceId=${deviceId}`));
      const { stdout } = await promisify(execFile)(way.program, [...way.args, file], { env });
      expect(stdout).toContain("Sump station");
      expect(stdout).toContain("AI1");
    },
  );
}
