import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { topics } from "@telltale/contract/device-api";
import { livePath } from "@telltale/contract/live";
import mqtt, { type MqttClient } from "mqtt";
import { type BenchServer, withServer } from "../bench-server.ts";
import { withPage } from "../browser.ts";
import { count, type Figure } from "../figure.ts";
import { fillDashboard, openDashboard } from "../full-dashboard.ts";
import { joinQuietly, watch } from "../quiet-sockets.ts";

const senders = 50;
const consoles = 500;
/** Alerts that are raised in a second, each cleared some seconds later by its device's next reading, and for how long, seconds. */
const [rate, seconds] = [10, 120];
/** Values of AI1 above and below its limit of 80 bar. */
const [above, below] = [96, 20];

/** Connects the devices, which then report a value without an alert. */
const connect = ({ mqttPort, devices }: BenchServer): Promise<MqttClient[]> =>
  Promise.all(
    devices.map(async ({ token }) => {
      const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${mqttPort}`, { username: token });
      await send(client, below);
      return client;
    }),
  );

const send = (client: MqttClient | undefined, value: number) =>
  client?.publishAsync(topics.telemetry, JSON.stringify({ AI1: value }), { qos: 1 });

/** Raises and clears alerts at the rate; resolves with how many were raised. */
const flood = async (clients: readonly MqttClient[]): Promise<number> => {
  const half = Math.floor(senders / 2);
  let raised = 0;
  for (const end = performance.now() + seconds * 1000; performance.now() < end; raised++) {
    const [rising, falling] = [clients[raised % senders], clients[(raised + half) % senders]];
    await Promise.all([send(rising, above), send(falling, below), sleep(1000 / rate)]);
  }
  return raised;
};

/** Counts the calls that the page makes, by their paths. */
const countCalls = (page: Page): Map<string, number> => {
  const calls = new Map<string, number>();
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/api/")) calls.set(pathname, (calls.get(pathname) ?? 0) + 1);
  });
  return calls;
};

const total = (calls: ReadonlyMap<string, number>): number => calls.values().reduce((sum, each) => sum + each, 0);

/** The lists of ALERT, by their addresses. */
const lists = [
  ["ALERT, all of the log", "/alarms"],
  ["ALERT, what stands", "/alarms?view=standing"],
  ["ALERT, what is unconfirmed", "/alarms?view=unconfirmed"],
  ["the notifications", "/alarms/notifications"],
] as const;

/** A screen, with the calls that it has made so far. */
interface Screen {
  name: string;
  calls: Map<string, number>;
}

/** The open dashboard, and the lists of ALERT, each on a page of its own; resolves when what follows them was fetched. */
const openScreens = async (dashboard: Page): Promise<Screen[]> => {
  await openDashboard(dashboard);
  const pages: [string, Page][] = [["the dashboard", dashboard]];
  for (const [name, path] of lists) {
    const page = await dashboard.context().newPage();
    await page.goto(path);
    pages.push([name, page]);
  }
  await sleep(5_000);
  return pages.map(([name, page]) => ({ name, calls: countCalls(page) }));
};

interface Counted {
  screen: Screen;
  before: ReadonlyMap<string, number>;
  raised: number;
}

const figureOf = ({ screen: { name, calls }, before, raised }: Counted): Figure => {
  const during = new Map([...calls].map(([path, all]) => [path, all - (before.get(path) ?? 0)]));
  const named = [...during].filter(([, all]) => all > 0).map(([path, all]) => `${path} ${all}`);
  return {
    name: `calls of one of ${consoles} consoles, on ${name}, while ${count(raised, "alerts")} are raised and cleared in ${seconds} s`,
    goal: "as without",
    measured: `${count(total(during), "calls")} (${named.join(", ") || "none"})`,
    baseline: `as long without: ${count(total(before), "calls")}`,
    ratio: "",
  };
};

/** What an open dashboard, and open lists of alerts, ask the server while alerts are raised and cleared, beside as long without; as one of many consoles. */
export const floodScenario = (): Promise<Figure[]> =>
  withServer(senders, async (server) => {
    const { token, userId, accountId } = await server.signIn();
    await fillDashboard(server, token);
    const clients = await connect(server);
    const address = new URL(`${server.baseURL}${livePath(userId, accountId)}?token=${token}`);
    const others: Duplex[] = [];
    while (others.length < consoles - 1) others.push(await joinQuietly(address, watch([1])));
    return withPage(server.baseURL, token, async (page) => {
      const screens = await openScreens(page);
      await sleep(seconds * 1000);
      const quiet = screens.map((screen) => ({ screen, before: new Map(screen.calls) }));
      const raised = await flood(clients);
      const figures = quiet.map((each) => figureOf({ ...each, raised }));
      for (const other of others) other.destroy();
      await Promise.all(clients.map((client) => client.endAsync()));
      return figures;
    });
  });
