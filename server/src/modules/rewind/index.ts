import { mostRewound, type rewind } from "@telltale/contract/domains/readings/rewind";
import { alertsStanding, offlineTimes } from "../../alarms/index.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { Handlers } from "../../platform/http/mount.ts";
import { theChannels } from "../../readings/index.ts";
import { beginningOf, type Moments, readingsAt } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import { dashboardId, filledTiles } from "../dashboards/index.ts";
import { emptyTile, type PlacedChannel } from "../dashboards/rules.ts";
import { periodsTouching } from "../history/index.ts";
import { momentsOf, rewoundChannel } from "./rules.ts";

type Needs = Pick<World, "db" | "pool" | "clock">;

/** The channels of tiles at each moment, and when their devices were not heard. */
const channelsAt = async ({ db, pool }: Needs, caller: Caller, placed: readonly PlacedChannel[], moments: Moments) => {
  if (moments.count === 0) return { channels: [], offline: [] };
  const devices = new Map(placed.map(({ deviceChannelId, deviceId }) => [deviceChannelId, deviceId]));
  const channelIds = [...devices.keys()];
  const range = { from: moments.from, to: moments.from + (moments.count - 1) * moments.step };
  const times = { from: new Date(range.from), to: new Date(range.to) };
  const [readings, periods, offline] = await Promise.all([
    readingsAt(pool, channelIds, moments),
    periodsTouching(db, caller, channelIds, range),
    offlineTimes(db, caller, [...new Set(devices.values())], times),
  ]);
  const periodsOf = Map.groupBy(periods, ({ channelId }) => channelId);
  const channels = Array.from(devices, ([channelId, deviceId]) => {
    const known = { periods: periodsOf.get(channelId) ?? [], offline: offline.get(deviceId) ?? [] };
    const none = { times: new Float64Array(), values: new Float64Array(), statuses: new Uint8Array() };
    return rewoundChannel({ channelId, ...(readings.get(channelId) ?? none), ...known }, moments);
  });
  return {
    channels,
    offline: [...offline].flatMap(([deviceId, spans]) => spans.map((span) => ({ deviceId, ...span }))),
  };
};

export const rewindRoutes = (world: Needs): Handlers<typeof rewind> => ({
  window: async ({ dashboardId: wanted, from, to }, caller) => {
    const { db, pool, clock } = world;
    const now = clock.date();
    const moments = momentsOf(from.getTime(), to.getTime(), now.getTime());
    const id = await dashboardId(db, caller, wanted);
    const filled = id === undefined ? [] : await filledTiles(db, caller, id, now);
    const placed = filled.flatMap((tile) => tile.channels);
    const channelIds = [...new Set(placed.map(({ deviceChannelId }) => deviceChannelId))];
    const [{ channels, offline }, { alerts, total }, beginning] = await Promise.all([
      channelsAt(world, caller, placed, moments),
      alertsStanding(db, caller, { from, to }, { limit: mostRewound, now }),
      beginningOf(pool, theChannels(channelIds)),
    ]);
    return {
      dashboardId: id ?? null,
      from: moments.from,
      step: moments.step,
      moments: moments.count,
      tiles: filled.flatMap((tile) => emptyTile(tile) ?? []),
      channels,
      offline,
      alerts,
      total,
      beginning: beginning === null ? null : new Date(beginning),
    };
  },
});
