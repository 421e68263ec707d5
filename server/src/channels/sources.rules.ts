import { type ChannelSettings, ChannelType, InputMode, SourceType } from "@telltale/contract/channels";

const ofContact = ({ inputMode, alarmData }: ChannelSettings, type: SourceType): boolean => {
  if (alarmData === undefined || inputMode === InputMode.statusLog) return false;
  // A count alarms when it is reached; a contact at the level that is set.
  const isHigh = inputMode === InputMode.counting || alarmData > 0;
  return isHigh === (type === SourceType.high);
};

/** Whether an input has the alarm set that would drive an output. */
export const hasAlarm = (channelType: number, settings: ChannelSettings, type: SourceType): boolean => {
  if (channelType === ChannelType.digitalInput) return ofContact(settings, type);
  return (type === SourceType.high ? settings.higherAlarm : settings.lowerAlarm) !== undefined;
};
