import { type AlertRow, unconfirmedLimit } from "@telltale/contract/domains/alerts";
import { expect, test } from "vitest";
import { withDevice } from "./use-unconfirmed.ts";

const row = (alarmLogId: number, deviceId: number, priority: 1 | 2 | 3 = 2): AlertRow => ({
  ...{ alarmLogId, alarmLogGroupId: 0, status: 1, alarmClass: 2, alarmType: 1, deviceChannelId: null },
  ...{ channelName: null, isSwitch: false, isRate: false, deviceName: "Pump", deviceSnId: "A", deviceId },
  ...{ value: null, valueUnit: "", threshold: null, interval: null, createdTime: new Date(alarmLogId) },
  ...{ acceptTime: null, modifiedTime: null, acceptName: null, msg: "", alarmName: "", priority },
  ...{ time: new Date(alarmLogId), receivedTime: null, peak: null, assignedName: null },
  ...{ isSilent: false, silentUntil: null, wasSilent: false },
});
const idsOf = (rows: readonly AlertRow[] | undefined) => rows?.map(({ alarmLogId }) => alarmLogId);

test("a device's alerts replace those of before, by priority and then newest first", () => {
  const list = [row(9, 1, 1), row(8, 2), row(3, 1)];
  expect(idsOf(withDevice(list, 1, [row(10, 1), row(2, 1, 1)]))).toEqual([2, 10, 8]);
  expect(idsOf(withDevice(list, 2, []))).toEqual([9, 3]);
});

test("a full list takes newer alerts in a flood and stays full, and is told nothing about when one goes", () => {
  const full = Array.from({ length: unconfirmedLimit }, (_, at) => row(2 * unconfirmedLimit - at, at % 50));
  const last = full.at(-1)?.alarmLogId ?? 0;
  const own = full.filter(({ deviceId }) => deviceId === 7);
  const flooded = withDevice(full, 7, [...own, row(5000, 7)]);
  expect(flooded).toHaveLength(unconfirmedLimit);
  expect(flooded?.[0]?.alarmLogId).toBe(5000);
  expect(idsOf(flooded)).not.toContain(last);
  expect(idsOf(withDevice(full, 7, [...own, row(1, 7)])), "behind the last, where others may be").toEqual(idsOf(full));
  expect(withDevice(full, 7, own.slice(1))).toBeUndefined();
});
