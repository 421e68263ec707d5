import type { Page } from "@playwright/test";
import { type Client, createClient } from "@telltale/contract/call/client";
import { channels } from "@telltale/contract/domains/channels";
import { DashboardStatus, dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { devices } from "@telltale/contract/domains/devices";
import type { BenchServer } from "./bench-server.ts";

/** Tiles of the dashboard. */
export const tiles = 64;

/** The analog channels of some devices. */
const analogChannels = async (client: Client): Promise<number[]> => {
  const found: number[] = [];
  for (const { deviceId } of (await client(devices.list, { size: 200 })).data)
    for (const group of await client(channels.grouped, { deviceId }))
      for (const { channelCn, deviceChannelId } of group.channels)
        if (channelCn.startsWith("AI")) found.push(deviceChannelId);
  return found;
};

/** Makes a dashboard of analog channels the owner's default. */
export const fillDashboard = async ({ baseURL }: BenchServer, token: string): Promise<void> => {
  const client = createClient({ baseUrl: baseURL, token: () => token });
  const deviceChannelIds = (await analogChannels(client)).slice(0, tiles);
  await client(dashboards.edit, { name: "All", status: DashboardStatus.standard, deviceChannelIds });
};

/** Makes so many dashboards, each of other analog channels; returns their ids. */
export const makeDashboards = async (
  { baseURL }: BenchServer,
  token: string,
  wanted: number,
): Promise<readonly number[]> => {
  if (wanted === 0) return [];
  const client = createClient({ baseUrl: baseURL, token: () => token });
  const found = await analogChannels(client);
  const ids: number[] = [];
  for (let at = 0; at < wanted; at++) {
    const deviceChannelIds = found.slice(at, at + tiles);
    const input = { name: `Board ${at}`, status: DashboardStatus.other, deviceChannelIds };
    ids.push((await client(dashboards.edit, input)).dashboardId);
  }
  return ids;
};

/** Opens it; resolves when all its tiles are there and what follows them was fetched. */
export const openDashboard = async (page: Page): Promise<void> => {
  await page.goto("/");
  await page
    .getByRole("region", { name: "Channels" })
    .getByRole("link")
    .nth(tiles - 1)
    .waitFor();
  await page.waitForTimeout(5_000);
};
