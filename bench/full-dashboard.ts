import type { Page } from "@playwright/test";
import { createClient } from "@telltale/contract/call/client";
import { channels } from "@telltale/contract/domains/channels";
import { DashboardStatus, dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { devices } from "@telltale/contract/domains/devices";
import type { BenchServer } from "./bench-server.ts";

/** Tiles of the dashboard. */
export const tiles = 64;

/** Makes a dashboard of analog channels the owner's default. */
export const fillDashboard = async ({ baseURL }: BenchServer, token: string): Promise<void> => {
  const client = createClient({ baseUrl: baseURL, token: () => token });
  const shown: number[] = [];
  for (const { deviceId } of (await client(devices.list, { size: 200 })).data)
    for (const { channels: found } of await client(channels.grouped, { deviceId }))
      shown.push(...found.filter(({ channelCn }) => channelCn.startsWith("AI")).map((each) => each.deviceChannelId));
  const input = { name: "All", status: DashboardStatus.standard, deviceChannelIds: shown.slice(0, tiles) };
  await client(dashboards.edit, input);
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
