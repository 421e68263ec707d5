import type { ChannelGroup } from "@telltale/contract/domains/channels";
import { expect, test } from "vitest";
import { chosenChannel } from "./loaded-device.tsx";

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
    ...{ value: null, status: 2, updateTime: null, age: null, reportWithin: 60 },
  })),
});
test("an unknown channel is replaced by the device's first one", () => {
  const groups = [group("AI", 1, 2), group("DI", 3)];
  expect(chosenChannel(groups, 3)?.deviceChannelId).toBe(3);
  expect(chosenChannel(groups, 99)?.deviceChannelId).toBe(1);
  expect(chosenChannel([], 1)).toBeUndefined();
});
