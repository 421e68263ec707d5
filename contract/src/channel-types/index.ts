import { ChannelType } from "../domains/channels.ts";
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

/** What every channel whose settings are made here has besides. */
export const reporting: readonly Key[] = [Key.reportInterval, Key.staticData];

/** The settings that can be made of a channel set up like this, in their order; none of a modbus register's. */
export const keysOf = ({ channelType, isBuiltIn }: ChannelKind, keys: ChannelKeys): Key[] => {
  const own = channelTypes[channelType].editable(keys, isBuiltIn);
  return own.length === 0 ? [] : [...own, ...reporting];
};
