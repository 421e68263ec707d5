import type { AlertType } from "../domains/alerts.ts";
import { type ChannelSettings, ChannelType } from "../domains/channels.ts";
import { analogInput } from "./analog-input.ts";
import type { ChannelTypeDescriptor } from "./descriptor.ts";
import { digitalInput } from "./digital-input.ts";
import { digitalOutput } from "./digital-output.ts";
import { type ChannelKeys, type ChannelKind, Key } from "./keys.ts";
import { modbus } from "./modbus.ts";
import { vibration } from "./vibration.ts";

/** Every type of channel. A new member of `ChannelType` does not compile until it stands here. */
export const channelTypes: Readonly<Record<ChannelType, ChannelTypeDescriptor>> = {
  [ChannelType.analogInput]: analogInput,
  [ChannelType.digitalInput]: digitalInput,
  [ChannelType.digitalOutput]: digitalOutput,
  [ChannelType.modbus]: modbus,
  [ChannelType.vibration]: vibration,
};

/** A limit that is set; `setpoint` and `hysteresis` in the channel's unit. */
export interface Limit {
  alarmType: AlertType;
  setpoint: number;
  hysteresis: number;
}

/** The limits of a channel that are set, lower ones first. */
export const limitsOf = (channelType: ChannelType, settings: ChannelSettings): Limit[] =>
  channelTypes[channelType].limits.flatMap(({ alarmType, setpoint, hysteresis, when }) => {
    const at = when === undefined || settings[when.field] === when.is ? settings[setpoint] : undefined;
    return at === undefined ? [] : [{ alarmType, setpoint: at, hysteresis: (hysteresis && settings[hysteresis]) ?? 0 }];
  });

/** What every channel whose settings are made here has besides. */
export const reporting: readonly Key[] = [Key.reportInterval, Key.staticData];

/** The settings that can be made of a channel set up like this, in their order; none of a modbus register's. */
export const keysOf = ({ channelType, isBuiltIn }: ChannelKind, keys: ChannelKeys): Key[] => {
  const own = channelTypes[channelType].editable(keys, isBuiltIn);
  return own.length === 0 ? [] : [...own, ...reporting];
};
