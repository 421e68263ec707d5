import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import { Analog, ChannelType, ReadingStatus } from "@telltale/contract/domains/channels";
import { type Tile, TileKind } from "@telltale/contract/domains/dashboard/tiles";
import type { Rewind } from "@telltale/contract/domains/readings/rewind";
import { describe, expect, it, vi } from "vitest";
import { factsAt, linesAt } from "./rewound-tiles.ts";
import { createRewoundValues, settingsKey, tilesAt } from "./rewound-values.ts";

const minute = 60_000;
const period = { channelAnalogId: Analog.pressure, limits: [], reportWithin: 60, sensorRange: { zero: 0, span: 100 } };

const tile: Tile = {
  kind: TileKind.channel,
  deviceChannelId: 1,
  dashboardGroupId: null,
  channelName: "Discharge pressure",
  groupName: null,
  icon: 1,
  channelAnalogId: Analog.pressure,
  channelType: ChannelType.analogInput,
  deviceId: 7,
  deviceName: "Pump house 2",
  value: null,
  status: ReadingStatus.noData,
  unit: "bar",
  updateTime: null,
  reportWithin: 60,
  sensorRange: null,
  modbusChannels: [],
};

/** Two channels over five minutes: the first has an alert from the third on, whose reading comes with the fourth. */
const rewound: Rewind = {
  dashboardId: 1,
  from: 0,
  step: minute,
  moments: 5,
  tiles: [tile],
  channels: [
    {
      deviceChannelId: 1,
      values: [null, 20, 20, 99, 99],
      statuses: [2, 1, 1, 0, 0],
      ages: [null, 0, 1, 0, 1],
      periods: [
        { ...period, startTime: null, unit: "psi" },
        { ...period, startTime: new Date(2 * minute), unit: "bar" },
      ],
    },
    {
      deviceChannelId: 2,
      values: [5, 5, 5, 5, 5],
      statuses: [1, 1, 1, 1, 1],
      ages: [0, 0, 0, 0, 0],
      periods: [{ ...period, startTime: null, unit: "A" }],
    },
  ],
  offline: [],
  alerts: [
    {
      alarmLogId: 1,
      alarmClass: AlertClass.threshold,
      alarmType: AlertType.high,
      deviceChannelId: 1,
      channelName: "Discharge pressure",
      isSwitch: false,
      isRate: false,
      deviceName: "Pump house 2",
      deviceId: 7,
      value: 99,
      valueUnit: "bar",
      threshold: 80,
      createdTime: new Date(2 * minute),
      acceptTime: null,
      acceptName: null,
      modifiedTime: null,
      msg: "",
      alarmName: "",
      priority: 2,
      silent: [],
    },
  ],
  total: 1,
  beginning: new Date(minute),
};

describe("the values of a moment", () => {
  it("are those as of then; an alert is seen before the reading that tells of it", () => {
    const values = createRewoundValues(rewound, 0);
    const readings = [0, 1, 2, 3].map((index) => {
      values.show(index);
      const { value, status, updateTime } = values.of(1) ?? {};
      return [value, status, updateTime?.getTime()];
    });
    expect(readings).toEqual([
      [null, ReadingStatus.noData, undefined],
      [20, ReadingStatus.good, minute],
      [20, ReadingStatus.alarm, minute],
      [99, ReadingStatus.alarm, 3 * minute],
    ]);
  });

  it("say of which moment they are", () => {
    const values = createRewoundValues(rewound, 1);
    expect(values.moment?.()).toEqual(new Date(minute));
    values.show(3);
    expect(values.moment?.()).toEqual(new Date(3 * minute));
  });

  it("wake who shows one that changes, and nobody else", () => {
    const values = createRewoundValues(rewound, 0);
    const [first, second] = [vi.fn(), vi.fn()];
    const forget = values.subscribe([1], first);
    values.subscribe([2], second);
    values.show(1);
    expect(first).toHaveBeenCalledTimes(1);
    values.show(1);
    expect(first).toHaveBeenCalledTimes(1);
    expect(second, "its value is equal, and read anew").toHaveBeenCalledTimes(1);
    forget();
    values.show(3);
    expect(first).toHaveBeenCalledTimes(1);
  });

  it("have the unit of then; tiles stay the same objects while no settings change", () => {
    expect([0, 2].map((index) => tilesAt(rewound, index * minute)[0]?.unit)).toEqual(["psi", "bar"]);
    const keys = [0, 1, 2, 3].map((index) => settingsKey(rewound, index * minute));
    expect([keys[0] === keys[1], keys[1] === keys[2], keys[2] === keys[3]]).toEqual([true, false, true]);
  });
});

describe("a tile of the past is judged by the settings of its time", () => {
  /** Today the interval is an hour, the sensor reads more, and the device is not heard. */
  const changed = (more: Partial<Rewind["channels"][number]>): Rewind => {
    const [first] = rewound.channels;
    if (!first) throw new Error("There is no channel");
    const today = { ...period, startTime: new Date(3 * minute), unit: "bar", reportWithin: 3_600 };
    const periods = [
      { ...period, startTime: null, unit: "bar" },
      { ...today, sensorRange: { zero: 0, span: 200 } },
    ];
    return { ...rewound, tiles: [{ ...tile, reportWithin: 3_600 }], channels: [{ ...first, periods, ...more }] };
  };
  const factsOfMinute = (of: Rewind, index: number) => {
    const at = index * minute;
    return factsAt(of, tilesAt(of, at), createRewoundValues(of, index), at)[0];
  };

  it("by its report interval: a channel that had not reported for longer says so", () => {
    const stalled = changed({ values: [5, 5, 5, 5, 5], statuses: [1, 1, 1, 1, 1], ages: [9, 10, 11, 12, 13] });
    expect([1, 4].map((index) => factsOfMinute({ ...stalled, alerts: [] }, index)?.age)).toEqual([
      "10 min ago",
      undefined,
    ]);
  });

  it("by its sensor's range, though its device is not heard today; not while it was not heard then", () => {
    const over = changed({ values: [5, 5, 120, 120, 120], statuses: [1, 1, 2, 2, 2], ages: [0, 0, 0, 0, 0] });
    expect([1, 2, 3].map((index) => factsOfMinute(over, index)?.range)).toEqual([undefined, "0 ~ 100 bar", undefined]);
    const offline = [{ deviceId: 7, startTime: new Date(2 * minute), endTime: null }];
    expect(factsOfMinute({ ...over, offline }, 2)).toMatchObject({ range: undefined, state: "no-data" });
    const ofAnother = offline.map((span) => ({ ...span, deviceId: 8 }));
    expect(factsOfMinute({ ...over, offline: ofAnother }, 2)?.state).toBe("alarm");
  });
});

it("the line of an hour has nothing that was read in another unit", () => {
  const [first, ...others] = rewound.channels;
  if (!first) throw new Error("There is no channel");
  const changed = { ...first, values: [120, 121, null, 8, 9], ages: [0, 0, null, 0, 0] };
  const lineAt = (at: number) => linesAt({ ...rewound, channels: [changed, ...others] }, at).lines[0]?.values;
  expect(lineAt(minute)).toEqual([120, 121]);
  expect(lineAt(4 * minute)).toEqual([8, 9]);
});

it("the line of an hour says how often its channel was to report then", () => {
  const [first, ...others] = rewound.channels;
  if (!first) throw new Error("There is no channel");
  const [unit, hour] = ["bar", 60 * minute];
  const periods = [
    { ...period, unit, startTime: null, reportWithin: 300 },
    { ...period, unit, startTime: new Date(2 * hour), reportWithin: 10 },
    { ...period, unit, startTime: new Date(2 * hour + minute), reportWithin: 10, limits: [] },
  ];
  const pacesAt = (at: number) =>
    linesAt({ ...rewound, channels: [{ ...first, periods }, ...others] }, at).lines[0]?.paces;
  expect(pacesAt(hour), "one pace all the time, which the tile has").toEqual([]);
  expect(pacesAt(2.5 * hour)).toEqual([
    { since: 0, reportWithin: 300 },
    { since: 2 * hour, reportWithin: 10 },
  ]);
  expect(pacesAt(4 * hour)).toEqual([]);
});
