import { ReadingStatus } from "@telltale/contract/channels";
import { type ModbusChannel, RegisterGroup } from "@telltale/contract/modbus";

/** Groups that are shown apart and are no channels. */
const apart: ReadonlySet<string> = new Set([RegisterGroup.status, RegisterGroup.setpoints]);

/** The worst of some registers: alarm, then good; no data only when none has any. */
export const worstStatus = (statuses: readonly number[]): number => {
  if (statuses.includes(ReadingStatus.alarm)) return ReadingStatus.alarm;
  return statuses.includes(ReadingStatus.good) ? ReadingStatus.good : ReadingStatus.noData;
};

/** A modbus device's channels in the order of their first registers. */
export const modbusChannels = (registers: readonly { groupName: string; status: number }[]): ModbusChannel[] => {
  const groups = Map.groupBy(
    registers.filter(({ groupName }) => !apart.has(groupName)),
    ({ groupName }) => groupName,
  );
  return [...groups].map(([channelName, members]) => ({
    channelName,
    status: worstStatus(members.map(({ status }) => status)),
  }));
};
