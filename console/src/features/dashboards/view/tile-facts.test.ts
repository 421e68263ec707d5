import { unconfirmedLimit } from "@telltale/contract/domains/alerts";
import { ChannelType } from "@telltale/contract/domains/channels";
import { type Tile, type TileChannel, TileKind } from "@telltale/contract/domains/dashboard/tiles";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Reading } from "../../../session/live/live-values.ts";
import { factsOf, type Standing } from "./tile-facts.ts";
import { TileState } from "./tile-state.ts";

const minute = 60_000;
const now = new Date(2026, 10, 22, 14, 32).getTime();
const ago = (minutes: number) => new Date(now - minutes * minute);

// Times of another day are shown with it.
beforeAll(() => {
  vi.useFakeTimers({ now, toFake: ["Date"] });
});
afterAll(() => {
  vi.useRealTimers();
});

const aTile = (over: Partial<Tile> = {}): Tile => ({
  ...{ kind: TileKind.channel, deviceChannelId: 1, dashboardGroupId: null, channelName: "Level", groupName: null },
  ...{ icon: 1, channelAnalogId: 1, channelType: ChannelType.analogInput, deviceId: 7, deviceName: "Reservoir" },
  ...{ value: 4, status: 1, unit: "m", updateTime: ago(1), reportWithin: 60, sensorRange: { zero: 0, span: 5 } },
  modbusChannels: [],
  ...over,
});

const aRegister = (deviceChannelId: number, updateTime: Date): TileChannel => ({
  ...{ deviceChannelId, channelName: "I A", channelCn: "I A", value: 1, status: 1, unit: "A" },
  ...{ updateTime, reportWithin: 60 },
});

const nothing: Standing = { unconfirmed: [], confirmed: [] };
const factsWith = (tile: Tile, standing = nothing, live: Record<number, Reading> = {}) =>
  factsOf(tile, (channelId) => live[channelId], standing, now);

const alarm = { status: 0 };
const mary = { deviceChannelId: 1, acceptName: "Mary Okafor", acceptTime: ago(73) };

describe("the age of a reading", () => {
  test.each([
    ["two report intervals old", 2, undefined],
    ["older", 2.5, "2 min ago"],
    ["hours old", 125, "2 h 5 min ago"],
  ])("that is %s", (_, minutes, age) => {
    expect(factsWith(aTile({ updateTime: ago(minutes) })).age).toBe(age);
  });
  test("is that of the newest live reading", () => {
    const live = { 1: { value: 4, status: 1, updateTime: ago(0.1) } };
    expect(factsWith(aTile({ updateTime: ago(12) }), nothing, live).age).toBeUndefined();
  });
  test("of several channels is told when all are late, and is that of the newest", () => {
    const group = (...minutes: number[]) =>
      aTile({ kind: TileKind.group, modbusChannels: minutes.map((each, at) => aRegister(at + 1, ago(each))) });
    expect(factsWith(group(12, 1)).age).toBeUndefined();
    expect(factsWith(group(12, 15)).age).toBe("12 min ago");
  });
  test("is not told of a tile without data, whose value is not shown", () => {
    expect(factsWith(aTile({ status: 2, updateTime: ago(12) }))).toMatchObject({
      age: undefined,
      state: TileState.noData,
    });
  });
});

describe("an alarm that is confirmed", () => {
  test("says who and when", () => {
    expect(factsWith(aTile(alarm), { unconfirmed: [], confirmed: [mary] }).confirmed).toBe("M. Okafor 13:19");
  });
  test("is not said to be unconfirmed while it is not known who has confirmed, unless it is one of the unconfirmed", () => {
    expect(factsWith(aTile(alarm), { unconfirmed: [], confirmed: undefined }).confirmed).toBe("");
    const unconfirmed = [{ deviceChannelId: 1 }];
    expect(factsWith(aTile(alarm), { unconfirmed, confirmed: undefined }).confirmed).toBeUndefined();
    const full = Array.from({ length: unconfirmedLimit }, () => ({ deviceChannelId: 2 }));
    expect(factsWith(aTile(alarm), { unconfirmed: full, confirmed: undefined }).confirmed).toBeUndefined();
  });
  test("is not when another alert of the channel waits", () => {
    const standing = { unconfirmed: [{ deviceChannelId: 1 }], confirmed: [mary] };
    expect(factsWith(aTile(alarm), standing).confirmed).toBeUndefined();
  });
  test("is that of this channel, and only while it is in alarm", () => {
    expect(
      factsWith(aTile(alarm), { unconfirmed: [], confirmed: [{ ...mary, deviceChannelId: 2 }] }).confirmed,
    ).toBeUndefined();
    expect(factsWith(aTile(), { unconfirmed: [], confirmed: [mary] }).confirmed).toBeUndefined();
  });
});

describe("a value beyond its sensor's range", () => {
  const beyond = aTile({ status: 2, value: 5.6 });
  test("is shown with the range while an alert stands, confirmed or not", () => {
    const range = { range: "0 ~ 5 m", state: TileState.alarm };
    expect(factsWith(beyond, { unconfirmed: [{ deviceChannelId: 1 }], confirmed: [] })).toMatchObject(range);
    expect(factsWith(beyond, { unconfirmed: [], confirmed: [mary] })).toMatchObject({
      ...range,
      confirmed: "M. Okafor 13:19",
    });
  });
  test("is no data without an alert, and where the device is not heard", () => {
    expect(factsWith(beyond)).toMatchObject({ range: undefined, state: TileState.noData });
    const standing = { unconfirmed: [{ deviceChannelId: 1 }], confirmed: [] };
    expect(factsWith({ ...beyond, sensorRange: null }, standing).state).toBe(TileState.noData);
    expect(factsWith({ ...beyond, value: 4 }, standing).state, "no data for another reason").toBe(TileState.noData);
  });
});

describe("a tile of more channels than it has room for", () => {
  const registers = Array.from({ length: 20 }, (_, at) => aRegister(at + 1, ago(1)));
  const controller = aTile({ kind: TileKind.modbus, modbusChannels: registers });
  const inAlarm = (...ids: number[]) =>
    Object.fromEntries(ids.map((id) => [id, { value: 9, ...alarm, updateTime: ago(1) }]));

  test("is not confirmed while an alert of a hidden one is not", () => {
    const standing = { unconfirmed: [{ deviceChannelId: 20 }], confirmed: [{ ...mary, deviceChannelId: 3 }] };
    const facts = factsWith(controller, standing, inAlarm(3, 20));
    expect(facts).toMatchObject({ state: TileState.alarm, confirmed: undefined });
  });
  test("tells who has confirmed the alert of a hidden one", () => {
    const standing = { unconfirmed: [], confirmed: [{ ...mary, deviceChannelId: 20 }] };
    const facts = factsWith(controller, standing, inAlarm(20));
    expect(facts).toMatchObject({ state: TileState.alarm, confirmed: "M. Okafor 13:19" });
  });
});
