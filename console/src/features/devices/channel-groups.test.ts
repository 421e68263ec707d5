import type { ChannelGroup } from "@telltale/contract/channels";
import { expect, test } from "vitest";
import { chosenChannel, shownGroups } from "./channel-groups.ts";

const group = (name: string, ...ids: number[]): ChannelGroup => ({
  name,
  channels: ids.map((deviceChannelId) => ({
    deviceChannelId,
    channelName: `${name}${deviceChannelId}`,
    channelCn: `${name}${deviceChannelId}`,
    channelType: 1,
    channelAnalogId: 1,
    unit: "bar",
    channelSwitch: 1,
  })),
});
const namesOf = (groups: ChannelGroup[]) => groups.map(({ name }) => name);

test("a main device does not show VBS, a sub-device not DOS", () => {
  const groups = [group("AI", 1), group("VBS", 2), group("DOS", 3)];
  expect(namesOf(shownGroups(groups, 1))).toEqual(["AI", "DOS"]);
  expect(namesOf(shownGroups(groups, 2))).toEqual(["AI", "VBS"]);
});

test("the only group of a device is shown whatever its name, an empty one never", () => {
  expect(namesOf(shownGroups([group("VBS", 1), group("DI")], 1))).toEqual(["VBS"]);
});

test("a channel that the device does not have gives way to the first one", () => {
  const groups = [group("AI", 1, 2), group("DI", 3)];
  expect(chosenChannel(groups, 3)?.deviceChannelId).toBe(3);
  expect(chosenChannel(groups, 99)?.deviceChannelId).toBe(1);
  expect(chosenChannel([], 1)).toBeUndefined();
});
