import type { StandingRow } from "@telltale/contract/domains/alerting/entries";

/** An alert for tests; by default one that waits, each a second newer than the one before. */
export const anAlert = (alarmLogId: number, more: Partial<StandingRow> = {}): StandingRow => ({
  ...{ alarmLogId, alarmLogGroupId: alarmLogId, status: 1, alarmClass: 2, alarmType: 1, deviceChannelId: null },
  ...{ channelName: null, isSwitch: false, isRate: false, deviceName: "Pump 1", deviceSnId: "A1", deviceId: 1 },
  ...{ value: null, valueUnit: "", threshold: null, interval: null, createdTime: new Date(alarmLogId * 1000) },
  ...{ acceptTime: null, modifiedTime: null, acceptName: null, msg: "", alarmName: "", priority: 2 },
  ...{ time: new Date(alarmLogId * 1000), receivedTime: new Date(alarmLogId * 1000), peak: null, assignedName: null },
  ...{ isSilent: false, silentUntil: null, wasSilent: false, firstOf: null, follows: null, now: null, silence: null },
  ...more,
});
