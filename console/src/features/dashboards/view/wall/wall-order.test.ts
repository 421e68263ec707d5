import { AlertClass, AlertPriority, type AlertRow, AlertStatus, AlertType } from "@telltale/contract/domains/alerts";
import { ChannelType } from "@telltale/contract/domains/channels";
import { type Tile, TileKind } from "@telltale/contract/domains/dashboard/tiles";
import { describe, expect, test } from "vitest";
import type { TileFacts } from "../tile-facts.ts";
import { TileState } from "../tile-state.ts";
import {
  isTile,
  type WallItem,
  type WallTile,
  wallGrid,
  wallOrder,
  wallPages,
  wallPlaces,
  wallScale,
} from "./wall-order.ts";

const aTile = (deviceChannelId: number, kind: TileKind = TileKind.channel): Tile => ({
  ...{ kind, deviceChannelId, dashboardGroupId: null, channelName: `Channel ${deviceChannelId}`, groupName: null },
  ...{ icon: 1, channelAnalogId: 1, channelType: ChannelType.analogInput, deviceId: 7, deviceName: "Pump house" },
  ...{ value: 1, status: 1, unit: "bar", updateTime: null, reportWithin: 60, sensorRange: null, modbusChannels: [] },
});

const says = (more: Partial<TileFacts> = {}): TileFacts => ({
  ...{ age: undefined, confirmed: undefined, range: undefined, state: TileState.normal },
  ...more,
});

const anAlert = (alarmLogId: number, deviceChannelId: number | null): AlertRow => ({
  ...{ alarmLogId, alarmLogGroupId: alarmLogId, status: AlertStatus.triggered, alarmClass: AlertClass.threshold },
  ...{
    alarmType: AlertType.high,
    deviceChannelId,
    channelName: null,
    isSwitch: false,
    isRate: false,
    deviceName: "Pump house",
  },
  ...{ deviceSnId: "A", deviceId: 7, value: 9, valueUnit: "bar", threshold: 8, interval: 60, createdTime: new Date(0) },
  ...{ acceptTime: null, modifiedTime: null, acceptName: null, msg: "", alarmName: "", receivedTime: null, peak: null },
  ...{ time: new Date(0), priority: AlertPriority.medium, assignedName: null },
  ...{ isSilent: false, silentUntil: null, wasSilent: false },
});

/** Tiles by their channels, cards by their alerts. */
const namesOf = (items: readonly WallItem[]) =>
  items.map((item) => (isTile(item) ? `tile ${item.tile.deviceChannelId}` : `card ${item.alert.alarmLogId}`));

/** A tile about which nothing is known. */
const placed = (tile: Tile, index: number): WallTile => ({
  ...{ kind: "tile", tile, index },
  ...{ facts: undefined, alert: undefined },
});

describe("a wall", () => {
  test("shows alarms first, then confirmed, old, without data, and the rest as the dashboard has it", () => {
    const tiles = [1, 2, 3, 4, 5, 6].map((id) => aTile(id));
    const facts = [
      says(),
      says({ state: TileState.noData }),
      says({ age: "12 min ago" }),
      says({ state: TileState.alarm, confirmed: "M. Okafor 13:19" }),
      says({ state: TileState.alarm }),
      says(),
    ];
    const { urgent, others } = wallOrder(tiles, facts, [anAlert(8, 6), anAlert(7, 5)]);
    expect(namesOf(urgent)).toEqual(["tile 6", "tile 5"]);
    expect(namesOf(others)).toEqual(["tile 4", "tile 3", "tile 2", "tile 1"]);
  });

  test("has alarms of tiles and those that no tile is about in one order, that of the alerts", () => {
    const tiles = [1, 2, 3].map((id) => aTile(id));
    const facts = [says(), says({ state: TileState.alarm }), says()];
    const alerts = [anAlert(9, null), anAlert(8, 3), anAlert(7, 99), anAlert(6, 1)];
    const { urgent } = wallOrder(tiles, facts, alerts);
    expect(namesOf(urgent)).toEqual(["card 9", "tile 3", "card 7", "tile 1", "tile 2"]);
  });

  test("shows every alarm: the most urgent ones large, the others on pages, before what is not in alarm", () => {
    const tiles = Array.from({ length: 40 }, (_, index) => aTile(index));
    const facts = tiles.map(() => says());
    const ofTiles = tiles.slice(0, 8).map((_, index) => anAlert(100 + index, index));
    const alerts = [anAlert(200, null), ...ofTiles, anAlert(201, 999), anAlert(202, null)];
    const order = wallOrder(tiles, facts, alerts);
    const { large, pages } = wallPlaces(order, wallGrid(2560), 1280);
    const urgentTiles = Array.from({ length: 8 }, (_, index) => `tile ${index}`);
    expect(namesOf(large)).toEqual(["card 200", ...urgentTiles.slice(0, 7)]);
    expect(namesOf(pages[0] ?? []).slice(0, 4)).toEqual(["tile 7", "card 201", "card 202", "tile 8"]);
    const all = [...order.urgent, ...order.others];
    expect(new Set([...large, ...pages.flat()])).toEqual(new Set(all));
    expect(large.length + pages.flat().length).toBe(all.length);
  });

  test.each([
    [3840, 12],
    [2560, 8],
    [1920, 6],
    [1440, 4],
    [390, 2],
  ])("of %i pixels has %i columns", (width, columns) => {
    expect(wallGrid(width).columns).toBe(columns);
  });

  test("is divided into pages that fit, and shows every tile on one of them", () => {
    const tiles = Array.from({ length: 50 }, (_, index) =>
      placed(aTile(index, index % 10 === 0 ? TileKind.modbus : TileKind.channel), index),
    );
    const grid = wallGrid(2560);
    const pages = wallPages(tiles, grid, 1280, 3);
    expect(
      pages
        .flat()
        .filter(isTile)
        .toSorted((a, b) => a.index - b.index),
    ).toEqual(tiles);
    expect(pages.length).toBe(2);
    expect(wallPages(tiles, grid, 2000, 0)).toHaveLength(1);
    expect(wallPages([], grid, 1280, 0)).toEqual([]);
  });

  test("leaves no place empty where a motor controller is too high for it", () => {
    const tiles = [
      ...Array.from({ length: 5 }, () => TileKind.channel),
      TileKind.modbus,
      TileKind.channel,
      TileKind.channel,
    ];
    const grid = wallGrid(1200);
    const twoRows = 2 * (grid.rowHeight + 16);
    const pages = wallPages(
      tiles.map((kind, index) => placed(aTile(index, kind), index)),
      grid,
      twoRows,
      0,
    );
    expect(pages.map((page) => page.filter(isTile).map(({ index }) => index))).toEqual([[0, 1, 2, 3, 4, 6, 7], [5]]);
  });

  test.each([
    ["few tiles twice as large at 3840 pixels", 15, { width: 3840, height: 2160 }, 2],
    ["few tiles larger at 2560 pixels", 16, { width: 2560, height: 1440 }, 1.25],
    ["more of them somewhat larger", 30, { width: 3840, height: 2160 }, 1.5],
    ["many as they are", 60, { width: 3840, height: 2160 }, 1],
    ["a desk's screen as it is", 2, { width: 1440, height: 900 }, 1],
  ])("shows %s, with room for alarms", (_, count, size, scale) => {
    const tiles = Array.from({ length: count }, (_, index) => placed(aTile(index), index));
    expect(wallScale(tiles, size, 160)).toBe(scale);
  });
});
