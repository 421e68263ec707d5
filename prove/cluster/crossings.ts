import { createHash, randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@telltale/contract/call/client";
import { httpPath, topics } from "@telltale/contract/device-api";
import { firmware, VersionType } from "@telltale/contract/domains/firmware";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { type LiveMessage, livePath } from "@telltale/contract/live";
import { connectAsync } from "mqtt";
import type { RunningServer } from "../../e2e/server-process.ts";
import { addUnit } from "../../e2e/unit.ts";
import type { Finding } from "../finding.ts";
import { owner } from "../fleet.ts";

/** A console's session, with its live socket to another node. */
export const openConsole = async (
  signedInAt: Pick<RunningServer, "baseURL">,
  shownBy: Pick<RunningServer, "baseURL">,
) => {
  const visitor = createClient({ baseUrl: signedInAt.baseURL, token: () => undefined });
  const login = await visitor(accounts.login, { email: owner.email, password: owner.secret });
  const path = livePath(login.userId, login.accounts[0]?.accountId ?? 0);
  const socket = new WebSocket(`${shownBy.baseURL.replace("http", "ws")}${path}?token=${login.token}`);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  return { socket, client: createClient({ baseUrl: signedInAt.baseURL, token: () => login.token }) };
};

const probes = 200;
/** Limits in milliseconds. */
const [longestLive, longestSignOut] = [250, 1_000];

/** Values that a device sends to one node, in a console of another. */
const liveValues = async (a: RunningServer, b: RunningServer): Promise<Finding> => {
  const unit = await addUnit(a, { owner: owner.email, name: "Live" });
  const device = await connectAsync(`mqtt://127.0.0.1:${a.mqttPort}`, { username: unit.accessToken });
  const { socket } = await openConsole(b, b);
  const sentAt = new Map<number, number>();
  const took: number[] = [];
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as LiveMessage;
    const sent = message.cmd === "value" ? sentAt.get(message.value) : undefined;
    if (sent !== undefined) took.push(performance.now() - sent);
  });
  // The other node has to know that a console of this plant is open there.
  await sleep(1_000);
  for (let n = 0; n < probes; n++) {
    const value = 10 + n / 100;
    sentAt.set(value, performance.now());
    await device.publishAsync(topics.telemetry, JSON.stringify({ AI1: value }), { qos: 1 });
    await sleep(80);
  }
  await sleep(1_000);
  socket.close();
  await device.endAsync();
  const sorted = took.toSorted((x, y) => x - y);
  const quantile = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
  return {
    promise: `A value sent to one node is in a console of another within ${longestLive} ms (99 of 100)`,
    counted: `${took.length} of ${probes} values: ${quantile(0.5).toFixed(0)} ms in the middle, ${quantile(0.99).toFixed(0)} ms for 99 of 100`,
    isKept: took.length === probes && quantile(0.99) <= longestLive,
  };
};

/** A sign-out at one node ends the session's socket at another. */
const signOut = async (a: RunningServer, b: RunningServer): Promise<Finding> => {
  const { socket, client } = await openConsole(a, b);
  const closed = new Promise((resolve) => socket.addEventListener("close", resolve));
  const began = performance.now();
  await client(accounts.signOut);
  await Promise.race([closed, sleep(10_000)]);
  const took = performance.now() - began;
  return {
    promise: "A sign-out ends the session's sockets on other nodes within a second",
    counted: `${took.toFixed(0)} ms`,
    isKept: took <= longestSignOut,
  };
};

/** An image that is added beside one node is downloaded from another. */
const firmwareOf = async (a: RunningServer, b: RunningServer): Promise<Finding> => {
  const bytes = randomBytes(200_000);
  const path = join(a.dataDir, "image.bin");
  await writeFile(path, bytes);
  const unit = await addUnit(a, { owner: owner.email, name: "Updated" });
  await a.telltale("firmware", "add", path, "--model", unit.deviceSn, "--version", "2.0.0");
  const device = await connectAsync(`mqtt://127.0.0.1:${b.mqttPort}`, { username: unit.accessToken });
  await device.publishAsync(topics.attributes, JSON.stringify({ current_fw_version: "1.0.0" }), { qos: 1 });
  const { client, socket } = await openConsole(a, a);
  socket.close();
  await client(firmware.update, { deviceSnId: unit.deviceSnId, versionNo: "2.0.0", versionType: VersionType.mcu });
  const query = new URLSearchParams({ title: unit.deviceSn, version: "2.0.0", size: "0" });
  const answer = await fetch(`${b.baseURL}${httpPath(unit.accessToken, "firmware")}?${query}`);
  const digest = createHash("sha256").update(Buffer.from(await answer.arrayBuffer()));
  await device.endAsync();
  const isSame = digest.digest("hex") === createHash("sha256").update(bytes).digest("hex");
  return {
    promise: "A firmware image that is added at one node is downloaded from another",
    counted: `HTTP ${answer.status}, ${isSame ? "the same bytes" : "other bytes"}`,
    isKept: isSame,
  };
};

/** What goes from one node to another. */
export const crossings = async ([a, b]: readonly [RunningServer, RunningServer]): Promise<Finding[]> => [
  await liveValues(a, b),
  await signOut(a, b),
  await firmwareOf(a, b),
];
