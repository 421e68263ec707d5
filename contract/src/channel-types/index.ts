import type { AlertType } from "../domains/alerts.ts";
import { type ChannelSettings, ChannelType } from "../domains/channels.ts";
import { analogInput } from "./analog-input.ts";
import type { ChannelTypeDescriptor } from "./descriptor.ts";
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

/** A configured limit; `setpoint` and `hysteresis` are in the channel's unit. */
export interface Limit {
  alarmType: AlertType;
  setpoint: number;
  hysteresis: number;
}

/** The configured limits of a channel, low limits first. */
export const limitsOf = (channelType: ChannelType, settings: ChannelSettings): Limit[] =>
  channelTypes[channelType].limits.flatMap(({ alarmType, setpoint, hysteresis, when }) => {
    const at = when === undefined || settings[when.field] === when.is ? settings[setpoint] : undefined;
    return at === undefined ? [] : [{ alarmType, setpoint: at, hysteresis: (hysteresis && settings[hysteresis]) ?? 0 }];
  });

/** Settings that every channel with editable settings has in addition. */
export const reporting: readonly Key[] = [Key.reportInterval, Key.staticData];

/** The editable settings of a channel with these values, in order; none for a modbus register. */
export const keysOf = ({ channelType, isBuiltIn }: ChannelKind, keys: ChannelKeys): Key[] => {
  const own = channelTypes[channelType].editable(keys, isBuiltIn);
  return own.length === 0 ? [] : [...own, ...reporting];
};
