import { systemClasses } from "@telltale/contract/domains/alarms";
import {
  AlertClass,
  type AlertType,
  alertClassLabels,
  alertTypeLabels,
  type AlertClass as Class,
} from "@telltale/contract/domains/alerts";
import { Role } from "@telltale/contract/permissions";

/** Whether this role may make and change alarms of the class: those about limits and notifications are the owner's. (spec 2 §6) */
export const mayConfigure = (roleType: number, alarmClass: number): boolean =>
  roleType === Role.owner || !systemClasses.includes(alarmClass);

/** An alarm's own fields, as asked for. */
interface Asked {
  alarmName: string;
  alarmClass: number;
  deviceId: number;
  deviceChannelId?: number | undefined;
  type?: number | undefined;
  alarmValue?: number | undefined;
  alarmHysteresis?: number | undefined;
}

/** The columns of an alarm: only a custom one watches a channel, whatever else was sent. */
export const columnsOf = ({ alarmName, alarmClass, deviceId, ...limit }: Asked) => {
  const isCustom = alarmClass === AlertClass.custom;
  const ofCustom = <T>(value: T | undefined): T | null => (isCustom && value !== undefined ? value : null);
  return {
    alarm_name: alarmName,
    alarm_class: alarmClass,
    device_id: deviceId,
    channel_id: ofCustom(limit.deviceChannelId),
    type: ofCustom(limit.type),
    alarm_value: ofCustom(limit.alarmValue),
    alarm_hysteresis: ofCustom(limit.alarmHysteresis),
  };
};

/** What the audit log keeps of an alarm, in words: what it names may be gone when it is read. */
export const recorded = (alarm: {
  alarmName: string;
  alarmClass: number;
  deviceName: string;
  channelName: string | null;
  type: number | null;
  alarmValue: number | null;
  alarmHysteresis: number | null;
  notifyUsers: readonly { contactInfo: string }[];
}) => ({
  alarmName: alarm.alarmName,
  alarmClass: alertClassLabels[alarm.alarmClass as Class],
  device: alarm.deviceName,
  channel: alarm.channelName,
  type: alarm.type && alertTypeLabels[alarm.type as AlertType],
  alarmValue: alarm.alarmValue,
  alarmHysteresis: alarm.alarmHysteresis,
  recipients: alarm.notifyUsers.map(({ contactInfo }) => contactInfo),
});
