import { Analog, ReadingStatus } from "@telltale/contract/domains/channels";
import { TileKind } from "@telltale/contract/domains/dashboard/tiles";
import { describe, expect, test } from "vitest";
import { type FilledTile, type PlacedChannel, tileOf, unitParts } from "./rules.ts";

const channel = (deviceChannelId: number, change: Partial<PlacedChannel> = {}): PlacedChannel => ({
  deviceChannelId,
  channelName: `Channel ${deviceChannelId}`,
  channelCn: "I A",
  channelType: 1,
  channelAnalogId: Analog.pressure,
  unit: "bar",
  value: deviceChannelId * 10,
  status: ReadingStatus.good,
  updateTime: null,
  deviceId: 7,
  deviceName: "Pump motor",
  settings: { analogId: Analog.pressure, unit: "bar", zero: 0, span: 10, reportInterval: 5, staticData: 60 },
  isLive: true,
  ...change,
});

const tile = (kind: TileKind, channels: PlacedChannel[], group = 5): FilledTile => ({
  kind,
  channels,
  groupId: kind === TileKind.group ? group : null,
  groupName: kind === TileKind.group ? "Currents" : null,
  groupIcon: kind === TileKind.group ? Analog.speed : null,
});

describe("a tile", () => {
  test("of a channel has its value, unit and icon", () => {
    expect(tileOf(tile(TileKind.channel, [channel(1)]))).toMatchObject({
      kind: 1,
      deviceChannelId: 1,
      channelName: "Channel 1",
      icon: Analog.pressure,
      value: 10,
      unit: "bar",
      status: 1,
      dashboardGroupId: null,
    });
  });
  test("says how long silence is usual, and what its sensor can read while its device is heard", () => {
    expect(tileOf(tile(TileKind.channel, [channel(1)]))).toMatchObject({
      reportWithin: 60,
      sensorRange: { zero: 0, span: 10 },
    });
    expect(tileOf(tile(TileKind.channel, [channel(1, { isLive: false })]))?.sensorRange).toBeNull();
    expect(tileOf(tile(TileKind.group, [channel(1)]))?.sensorRange).toBeNull();
  });
  test("of a group has the group's name and icon and stands under its first channel", () => {
    expect(tileOf(tile(TileKind.group, [channel(3), channel(2)]))).toMatchObject({
      deviceChannelId: 3,
      groupName: "Currents",
      dashboardGroupId: 5,
      icon: Analog.speed,
      value: null,
      modbusChannels: [],
    });
  });
  test("of a motor controller has the device's name", () => {
    expect(tileOf(tile(TileKind.modbus, [channel(1)]))).toMatchObject({ channelName: "Pump motor", groupName: null });
  });
  test("of several channels is in alarm when one is, without data when none has any", () => {
    const statusOf = (...statuses: number[]) =>
      tileOf(
        tile(
          TileKind.group,
          statuses.map((status, index) => channel(index + 1, { status })),
        ),
      )?.status;
    expect(statusOf(1, 0, 2)).toBe(ReadingStatus.alarm);
    expect(statusOf(1, 2)).toBe(ReadingStatus.good);
    expect(statusOf(2, 2)).toBe(ReadingStatus.noData);
  });
  test("without a channel is left out", () => {
    expect(tileOf(tile(TileKind.group, []))).toBeUndefined();
  });
});

describe("unit parts", () => {
  const group = tile(TileKind.group, [channel(3), channel(2)]);
  const motor = tile(TileKind.modbus, [channel(3), channel(4), channel(5)]);
  const single = tile(TileKind.channel, [channel(3)]);

  test("are found by the first channel, and distinguished by the group", () => {
    const parts = unitParts([group, motor, single], [3]);
    expect(parts.map((part) => [part.dashboardGroupId, part.modbusChannels.map((one) => one.deviceChannelId)])).toEqual(
      [
        [5, [3, 2]],
        [null, [3, 4, 5]],
      ],
    );
  });
  test("of a tile on two dashboards come once", () => {
    expect(unitParts([motor, motor], [3])).toHaveLength(1);
  });
  test("a channel's own tile has none", () => {
    expect(unitParts([single], [3])).toEqual([]);
    expect(unitParts([motor], [4])).toEqual([]);
  });
});
