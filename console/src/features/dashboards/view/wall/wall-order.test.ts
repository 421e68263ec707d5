import { AlertClass, AlertPriority, type AlertRow, AlertStatus, AlertType } from "@telltale/contract/domains/alerts";
import { ChannelType } from "@telltale/contract/domains/channels";
import { type Tile, TileKind } from "@telltale/contract/domains/dashboard/tiles";
import { describe, expect, test } from "vitest";
import type { TileFacts } from "../tile-facts.ts";
import { TileState } from "../tile-state.ts";
import { wallGrid, wallOrder, wallPages, wallScale } from "./wall-order.ts";

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
  ...{ priority: AlertPriority.medium, assignedName: null, isSilent: false, silentUntil: null, wasSilent: false },
});

const idsOf = (tiles: readonly { tile: Tile }[]) => tiles.map(({ tile }) => tile.deviceChannelId);

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
    const { urgent, alone, others } = wallOrder(tiles, facts, [anAlert(9, null), anAlert(8, 6), anAlert(7, 5)]);
    expect(idsOf(urgent)).toEqual([6, 5]);
    expect(alone.map(({ alarmLogId }) => alarmLogId)).toEqual([9]);
    expect(idsOf(others)).toEqual([4, 3, 2, 1]);
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
    const tiles = Array.from({ length: 50 }, (_, index) => ({
      tile: aTile(index, index % 10 === 0 ? TileKind.modbus : TileKind.channel),
      ...{ index, facts: undefined, alert: undefined },
    }));
    const grid = wallGrid(2560);
    const pages = wallPages(tiles, grid, 1280, 3);
    expect(pages.flat().toSorted((a, b) => a.index - b.index)).toEqual(tiles);
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
      tiles.map((kind, index) => ({ tile: aTile(index, kind), index, facts: undefined, alert: undefined })),
      grid,
      twoRows,
      0,
    );
    expect(pages.map((page) => page.map(({ index }) => index))).toEqual([[0, 1, 2, 3, 4, 6, 7], [5]]);
  });

  test.each([
    ["few tiles twice as large at 3840 pixels", 15, { width: 3840, height: 2160 }, 2],
    ["few tiles larger at 2560 pixels", 16, { width: 2560, height: 1440 }, 1.25],
    ["more of them somewhat larger", 30, { width: 3840, height: 2160 }, 1.5],
    ["many as they are", 60, { width: 3840, height: 2160 }, 1],
    ["a desk's screen as it is", 2, { width: 1440, height: 900 }, 1],
  ])("shows %s, with room for alarms", (_, count, size, scale) => {
    const tiles = Array.from({ length: count }, (_, index) => ({
      ...{ tile: aTile(index), index, facts: undefined, alert: undefined },
    }));
    expect(wallScale(tiles, size, 160)).toBe(scale);
  });
});
