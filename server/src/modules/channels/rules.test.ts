import { ReadingStatus } from "@telltale/contract/domains/channels";
import { DeviceType } from "@telltale/contract/domains/devices";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { groupedChannels, type ListedChannel, shownStatus } from "./rules.ts";

const channel = (deviceChannelId: number, groupName: string): ListedChannel => ({
  deviceChannelId,
  groupName,
  channelName: `Channel ${deviceChannelId}`,
  channelCn: `C${deviceChannelId}`,
  channelType: 1,
  channelAnalogId: 1,
  unit: "bar",
  channelSwitch: 1,
  ...{ value: null, status: 2, updateTime: null, age: null, reportWithin: 60 },
});

const names = (groups: { name: string }[]) => groups.map((group) => group.name);

describe("a device's channel list", () => {
  test("keeps the order of channels and of the groups' first channels", () => {
    const groups = groupedChannels([channel(3, "DI"), channel(1, "AI"), channel(2, "DI")], DeviceType.main);
    expect(names(groups)).toEqual(["DI", "AI"]);
    expect(groups[0]?.channels.map((member) => member.deviceChannelId)).toEqual([3, 2]);
    expect(groups[0]?.channels[0]).not.toHaveProperty("groupName");
  });

  test("hides VBS on a main device and DOS on a sub-device (spec 1 §2)", () => {
    const channels = [channel(1, "AI"), channel(2, "VBS"), channel(3, "DOS")];
    expect(names(groupedChannels(channels, DeviceType.main))).toEqual(["AI", "DOS"]);
    expect(names(groupedChannels(channels, DeviceType.sub))).toEqual(["AI", "VBS"]);
  });

  test("loses no channel that is not hidden, and shows none twice", () => {
    const channels = fc
      .array(fc.constantFrom("AI", "DI", "DO", "CHANNEL"))
      .map((groups) => groups.map((group, index) => channel(index, group)));
    fc.assert(
      fc.property(channels, fc.constantFrom(1, 2), (listed, deviceType) => {
        const shown = groupedChannels(listed, deviceType).flatMap((group) => group.channels);
        expect(shown.map((one) => one.deviceChannelId).sort((a, b) => a - b)).toEqual(listed.map((_, index) => index));
      }),
    );
  });
});

test("a silent device's channels, and those never heard, have no data", () => {
  expect(shownStatus({ status: ReadingStatus.alarm }, true)).toBe(ReadingStatus.alarm);
  expect(shownStatus({ status: ReadingStatus.good }, true)).toBe(ReadingStatus.good);
  expect(shownStatus({ status: ReadingStatus.good }, false)).toBe(ReadingStatus.noData);
  expect(shownStatus(undefined, true)).toBe(ReadingStatus.noData);
});
