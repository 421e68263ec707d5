import type { AlarmRange } from "@telltale/contract/alarms";
import { ntcRange } from "@telltale/contract/channel-options";
import { type ChannelSettings, ChannelType, InputMode, SensorType } from "@telltale/contract/channels";

const contact: AlarmRange = { zero: 0, span: 1, isDiscrete: true };
const count: AlarmRange = { zero: 0, span: null, isDiscrete: true };

/** A count has no highest; whatever is neither Status Log nor DI counts. (spec 1 §4) */
const ofInput = ({ inputMode }: ChannelSettings): AlarmRange =>
  inputMode === InputMode.statusLog || inputMode === InputMode.digital ? contact : count;

/**
 * What a channel's values lie between, in its engineering unit: ZERO..SPAN, an NTC's table, the two levels of a contact. A register of a
 * motor controller, and a channel whose ZERO and SPAN are not set, have no ends.
 */
export const alarmRange = (channelType: number, settings: ChannelSettings): AlarmRange => {
  if (channelType === ChannelType.digitalInput) return ofInput(settings);
  if (channelType === ChannelType.digitalOutput) return contact;
  if (channelType === ChannelType.analogInput && settings.sensorType === SensorType.ntc)
    return { zero: ntcRange.min, span: ntcRange.max, isDiscrete: false };
  return { zero: settings.zero ?? null, span: settings.span ?? null, isDiscrete: false };
};
