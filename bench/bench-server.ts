import { readFile } from "node:fs/promises";
import { createClient } from "@telltale/contract/call/client";
import { profile } from "@telltale/contract/domains/people/profile";
import { type RunningServer, startServer } from "../e2e/server-process.ts";
import type { LoadDevice } from "../simulator/src/load/publisher.ts";

/** Ten channels of a MIX: what one message carries. */
const codes = ["AI1", "AI2", "AI3", "AI4", "DI1", "DI2", "DI3", "DI4", "TEMP", "HUM"];
const email = "bench@example.test";
const password = "a password for the bench";

export interface BenchServer extends RunningServer {
  devices: LoadDevice[];
  /** Token and socket path of the owner. */
  signIn(): Promise<{ token: string; userId: number; accountId: number }>;
  /** Resident memory of the server's process, megabytes. */
  residentMemory(): Promise<number>;
}

interface AddedDevice {
  accessToken: string;
}

const residentMemoryOf = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
};

const signInTo = async (baseURL: string) => {
  const response = await fetch(`${baseURL}/api/user/login`, {
    method: "POST",
    body: new URLSearchParams({ email, password }),
  });
  const { result } = (await response.json()) as {
    result: { token: string; userId: number; accounts: { accountId: number }[] };
  };
  return { token: result.token, userId: result.userId, accountId: result.accounts[0]?.accountId ?? 0 };
};

/** Completes the owner's onboarding; until then the console shows only that form. */
const introduce = async (baseURL: string): Promise<void> => {
  const { token } = await signInTo(baseURL);
  const owner = createClient({ baseUrl: baseURL, token: () => token });
  await owner(profile.introduce, {
    company: "Bench",
    industry: "Manufacturing",
    firstName: "Benno",
    lastName: "Bench",
  });
};

/** Runs `work` with a server without demonstration data, with an owner and this many MIX devices of ten channels. */
export const withServer = async <T>(
  deviceCount: number,
  work: (server: BenchServer) => Promise<T>,
  env: Record<string, string> = {},
): Promise<T> => {
  const server = await startServer({ demo: false, env: { LOG_LEVEL: "error", ...env } });
  try {
    await server.telltale("users", "add", "--owner", "--email", email, "--password", password, "--plant", "Bench");
    await introduce(server.baseURL);
    const added = await server.telltale<AddedDevice[]>(
      "devices",
      "add",
      "--model",
      "MIX",
      "--count",
      String(deviceCount),
      "--owner",
      email,
    );
    const devices = added.map(({ accessToken }) => ({ token: accessToken, codes }));
    return await work({
      ...server,
      devices,
      signIn: () => signInTo(server.baseURL),
      residentMemory: () => residentMemoryOf(server.pid()),
    });
  } finally {
    await server.stop();
  }
};
