import { type Tile, type TileChannel, TileKind } from "@telltale/contract/domains/dashboard/tiles";
import { describe, expect, it } from "vitest";
import {
  channelAtFault,
  readingState,
  shownChannels,
  TileState,
  tileName,
  tileState,
  withUnitPart,
} from "./tile-state.ts";

const good = { value: 1, status: 1 };
const alarm = { value: 1, status: 0 };
const noData = { value: 1, status: 2 };

const aChannel = (deviceChannelId: number): TileChannel => ({
  deviceChannelId,
  channelName: `Register ${deviceChannelId}`,
  channelCn: `R${deviceChannelId}`,
  value: 1,
  status: 1,
  unit: "A",
  updateTime: null,
  reportWithin: 60,
});

const aTile = (over: Partial<Tile> = {}): Tile => ({
  kind: TileKind.channel,
  deviceChannelId: 1,
  dashboardGroupId: null,
  channelName: "Discharge pressure",
  groupName: null,
  icon: 1,
  channelAnalogId: 1,
  channelType: 1,
  deviceId: 7,
  deviceName: "Pump house 2",
  value: 1,
  status: 1,
  unit: "bar",
  updateTime: null,
  reportWithin: 60,
  sensorRange: null,
  modbusChannels: [],
  ...over,
});

describe("the state of a tile", () => {
  it.each([
    ["one good channel", [good], TileState.normal],
    ["one channel in alarm", [alarm], TileState.alarm],
    ["status 2 with a last value", [noData], TileState.noData],
    ["no value yet", [{ value: null, status: 1 }], TileState.noData],
    ["an alarm among good channels", [good, alarm, good], TileState.alarm],
    ["an alarm beside a channel without data", [noData, alarm], TileState.alarm],
    ["some channels without data", [noData, good], TileState.normal],
    ["no channel with data", [noData, { value: null, status: 0 }], TileState.noData],
    ["no channel at all", [], TileState.noData],
  ])("with %s", (_, readings, expected) => {
    expect(tileState(readings)).toBe(expected);
  });

  it("shows no data in preference to an alarm", () => {
    expect(readingState({ value: null, status: 0 })).toBe(TileState.noData);
  });
});

describe("what a tile opens", () => {
  const [first, second] = [
    { ...good, id: 1 },
    { ...alarm, id: 2 },
  ];

  it("is the channel in alarm, also where another comes before it", () => {
    expect(channelAtFault([first, second])).toBe(second);
    expect(channelAtFault([{ ...noData, id: 3 }, second])).toBe(second);
  });

  it("is the first channel where all have no data, and none while nothing is wrong", () => {
    const silent = { ...noData, id: 3 };
    expect(channelAtFault([silent, { ...noData, id: 4 }])).toBe(silent);
    expect(channelAtFault([first, silent])).toBeUndefined();
  });
});

describe("the channels of a tile", () => {
  const channels = Array.from({ length: 12 }, (_, index) => aChannel(index + 1));

  it.each([
    [TileKind.group, 3, 9],
    [TileKind.modbus, 8, 4],
  ])("of kind %i: %i fit, %i do not", (kind, fit, more) => {
    const { shown, more: rest } = shownChannels(aTile({ kind, modbusChannels: channels }));
    expect(shown).toHaveLength(fit);
    expect(rest).toBe(more);
  });

  it("come from the unit part with the same first channel and group", () => {
    const parts = [
      { deviceChannelId: 1, dashboardGroupId: null, modbusChannels: [aChannel(1), aChannel(2)] },
      { deviceChannelId: 1, dashboardGroupId: 5, modbusChannels: [aChannel(1)] },
    ];
    const group = withUnitPart(aTile({ kind: TileKind.group, dashboardGroupId: 5 }), parts);
    const modbus = withUnitPart(aTile({ kind: TileKind.modbus }), parts);
    expect(group.modbusChannels).toHaveLength(1);
    expect(modbus.modbusChannels).toHaveLength(2);
  });

  it("keep the same object for a single-channel tile", () => {
    const tile = aTile();
    expect(withUnitPart(tile, [{ deviceChannelId: 1, modbusChannels: [aChannel(1)] }])).toBe(tile);
  });
});

it("a tile is named after its channel, group or device", () => {
  expect(tileName(aTile())).toBe("Discharge pressure");
  expect(tileName(aTile({ kind: TileKind.group, groupName: "Phase currents" }))).toBe("Phase currents");
  expect(tileName(aTile({ kind: TileKind.modbus }))).toBe("Pump house 2");
});
