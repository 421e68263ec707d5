import { Agent, request } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { type Client, createClient } from "@telltale/contract/call/client";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { profile } from "@telltale/contract/domains/people/profile";
import { signIns } from "@telltale/contract/domains/people/sign-ins";
import { DataType, downloads } from "@telltale/contract/domains/readings/downloads";
import { livePath } from "@telltale/contract/live";
import { emailOf, password } from "../../e2e/people.ts";
import { stripes } from "../../e2e/png.ts";
import type { ReachableServer } from "../../e2e/server-process.ts";
import { addUnit, idsOf, reportOnce } from "../../e2e/unit.ts";

/** Trusts a CA for the lifetime of this process. */
export const trustAuthority = (authority: string): void =>
  setDefaultCACertificates([...getCACertificates("default"), authority]);

/** A user who connects through the proxy. */
export interface Visitor {
  server: ReachableServer;
  /** The proxy's address. */
  site: string;
  client: Client;
  token: string;
  ids: { userId: number; accountId: number };
}

export const signInThroughProxy = async (server: ReachableServer, site: string): Promise<Visitor> => {
  const login = createClient({ baseUrl: site, token: () => undefined });
  const { token, userId, accounts: own } = await login(accounts.login, { email: emailOf("owner"), password });
  const accountId = own.find(({ isShow }) => isShow === 1)?.accountId ?? own[0]?.accountId ?? 0;
  return {
    server,
    site,
    token,
    ids: { userId, accountId },
    client: createClient({ baseUrl: site, token: () => token }),
  };
};

/** Milliseconds from a device's report to its value on a live socket, opened with the page's Origin as browsers do. */
export const liveDelay = async ({ server, site, token, ids }: Visitor): Promise<number> => {
  const unit = await addUnit(server);
  const address = `${site.replace(/^http/, "ws")}${livePath(ids.userId, ids.accountId)}?token=${token}`;
  const socket = new WebSocket(address, { headers: { origin: site } } as never); // a Node-specific option that the types do not declare
  const opened = Promise.withResolvers<void>();
  const came = Promise.withResolvers<void>();
  socket.addEventListener("open", () => opened.resolve());
  socket.addEventListener("error", () => opened.reject(new Error("The live socket was refused")));
  socket.addEventListener("message", ({ data }) => String(data).includes('"value":7.25') && came.resolve());
  await opened.promise;
  const since = performance.now();
  await reportOnce(server, unit, { AI1: 7.25 });
  await Promise.race([came.promise, sleep(10_000, undefined, { ref: false })]);
  const delay = performance.now() - since;
  socket.close();
  return delay;
};

/** Uploads a photo of this many bytes; returns its address, or the error. */
export const upload = async ({ client }: Visitor, bytes: number): Promise<string> => {
  const picture = stripes(64, 64, [
    [200, 0, 0],
    [0, 0, 200],
  ]);
  const file = new Blob([new Uint8Array(picture), new Uint8Array(Math.max(0, bytes - picture.length))]);
  return client(profile.upload, { file }).catch((fault: Error) => fault.message);
};

const day = 86_400_000;

/** Downloads a spreadsheet with this many readings; returns its size in bytes and its first two characters. */
export const spreadsheet = async ({ server, client }: Visitor, readings: number): Promise<string> => {
  const unit = await addUnit(server);
  const start = Math.floor(Date.now() / day - 15) * day;
  const each = 1_000;
  for (let n = 0; n < readings; n += each)
    await reportOnce(
      server,
      unit,
      Array.from({ length: Math.min(each, readings - n) }, (_, i) => ({
        ts: start + (n + i) * 1000,
        values: { AI1: (n + i) % 50 },
      })),
    );
  const { deviceId } = await idsOf(client, unit.deviceSnId);
  const range = { startTime: new Date(start), endTime: new Date(start + day - 1) };
  const file = await client(downloads.export, { deviceId, type: DataType.chosen, ...range });
  const head = Buffer.from(await file.slice(0, 2).arrayBuffer()).toString();
  return head === "PK" && file.size > readings ? `${file.size} bytes` : `no spreadsheet: ${file.size} bytes`;
};

/** Signs in from another address of this machine with a forged X-Forwarded-For header; returns the address that Telltale records. */
export const recordedAddress = async ({ site, client }: Visitor, from: string): Promise<string | undefined> => {
  const body = new URLSearchParams({ email: emailOf("owner"), password }).toString();
  await new Promise<void>((resolve, reject) => {
    const sent = request(
      `${site}${accounts.login.path}`,
      {
        method: "POST",
        agent: new Agent({ localAddress: from, family: 4 } as never),
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          "x-forwarded-for": "203.0.113.9",
          "user-agent": "far",
        },
      },
      (answer) => answer.resume().once("end", resolve),
    );
    sent.once("error", reject).end(body);
  });
  return (await client(signIns.list)).find(({ userAgent }) => userAgent === "far")?.address;
};
