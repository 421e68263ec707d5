import type { AlertType } from "../domains/alerts.ts";
import { type ChannelSettings, ChannelType } from "../domains/channels.ts";
import { analogInput } from "./analog-input.ts";
import type { ChannelTypeDescriptor, NumberField } from "./descriptor.ts";
import { digitalInput } from "./digital-input.ts";
import { digitalOutput } from "./digital-output.ts";
import { type ChannelKeys, type ChannelKind, Key } from "./keys.ts";
import { modbus } from "./modbus.ts";
import { vibration } from "./vibration.ts";

/** Descriptors of all channel types. A new member of `ChannelType` does not compile until it is added here. */
export const channelTypes: Readonly<Record<ChannelType, ChannelTypeDescriptor>> = {
  [ChannelType.analogInput]: analogInput,
  [ChannelType.digitalInput]: digitalInput,
  [ChannelType.digitalOutput]: digitalOutput,
  [ChannelType.modbus]: modbus,
  [ChannelType.vibration]: vibration,
};

/** Whether a channel's line is drawn as steps: of levels, of counts, and of registers, which hold a value until the next report. */
export const isStepped = (channelType: ChannelType): boolean =>
  channelType === ChannelType.modbus || channelTypes[channelType].isDiscrete;

/** A configured limit; `setpoint` and `hysteresis` are in the channel's unit, its delays in seconds. */
export interface Limit {
  alarmType: AlertType;
  setpoint: number;
  hysteresis: number;
  onDelay: number;
  offDelay: number;
}

/** The configured limits of a channel, low limits first. */
export const limitsOf = (channelType: ChannelType, settings: ChannelSettings): Limit[] =>
  channelTypes[channelType].limits.flatMap(({ alarmType, setpoint, hysteresis, onDelay, offDelay, when }) => {
    const at = when === undefined || settings[when.field] === when.is ? settings[setpoint] : undefined;
    if (at === undefined) return [];
    const numberIn = (field: NumberField | undefined): number => (field && settings[field]) ?? 0;
    const delays = { onDelay: numberIn(onDelay), offDelay: numberIn(offDelay) };
    return [{ alarmType, setpoint: at, hysteresis: numberIn(hysteresis), ...delays }];
  });

/** Settings that every channel with editable settings has in addition. */
export const reporting: readonly Key[] = [Key.reportInterval, Key.staticData];

/** The editable settings of a channel with these values, in order; none for a modbus register. */
export const keysOf = ({ channelType, isBuiltIn }: ChannelKind, keys: ChannelKeys): Key[] => {
  const own = channelTypes[channelType].editable(keys, isBuiltIn);
  return own.length === 0 ? [] : [...own, ...reporting];
};
