import { type channels, type OutputSource, SourceType } from "@telltale/contract/domains/channels";
import { Model } from "@telltale/contract/domains/devices";
import { type ModbusRegister, type modbus, RegisterGroup } from "@telltale/contract/domains/modbus";
import { isDeviceInScope, type Scope } from "../../access/index.ts";
import { notFound } from "../../platform/http/api-error.ts";
import type { Handlers } from "../../platform/http/mount.ts";
import type { World } from "../../world.ts";
import {
  channelInfos,
  channelsOfDevice,
  channelValues,
  deviceKind,
  type ReadRegister,
  registersOfDevice,
} from "./queries.ts";
import { groupedChannels, modbusChannels, worstStatus } from "./rules.ts";
import { hasAlarm } from "./settings/keys.rules.ts";
import { inputsForOutputs, type OutputInput } from "./settings/output-sources.ts";

const plain = ({ groupName: _, settings: __, ...register }: ReadRegister): ModbusRegister => register;

export const modbusRoutes = ({ db, clock }: Pick<World, "db" | "clock">): Handlers<typeof modbus> => {
  const registersOf = async (scope: Scope, deviceId: number): Promise<ReadRegister[]> => {
    const device = await deviceKind(db, scope, deviceId);
    if (device?.type_id !== Model.motorController) throw notFound();
    return registersOfDevice(db, scope, deviceId, clock.date());
  };
  const ofGroup = async (scope: Scope, deviceId: number, group: string): Promise<ReadRegister[]> =>
    (await registersOf(scope, deviceId)).filter(({ groupName }) => groupName === group);
  return {
    channelList: async ({ deviceId }, caller) => modbusChannels(await registersOf(caller, deviceId)),
    channelDetail: async ({ deviceId, channelName }, caller) => {
      const registers = await registersOf(caller, deviceId);
      if (!modbusChannels(registers).some((channel) => channel.channelName === channelName)) throw notFound();
      const own = registers.filter(({ groupName }) => groupName === channelName);
      const detailSettings = own.map((register) => ({ ...plain(register), settings: register.settings }));
      return { channelName, status: worstStatus(own.map(({ status }) => status)), detailSettings };
    },
    setpoints: async ({ deviceId }, caller) => (await ofGroup(caller, deviceId, RegisterGroup.setpoints)).map(plain),
    status: async ({ deviceId }, caller) => (await ofGroup(caller, deviceId, RegisterGroup.status)).map(plain),
  };
};

/** An input's High and Low alarms as possible drivers of an output. */
const sourcesOf = (input: OutputInput): OutputSource[] =>
  Object.values(SourceType).map((type) => ({
    deviceChannelId: input.channel_id,
    channelName: input.channel_name,
    channelCn: input.channel_cn,
    deviceSnId: input.device_sn_id,
    deviceName: input.device_name,
    type,
    flag: hasAlarm(input.channel_type, input.settings, type) ? 1 : 0,
  }));

export const channelRoutes = ({ db, clock }: Pick<World, "db" | "clock">): Handlers<typeof channels> => ({
  grouped: async ({ deviceId }, caller) => {
    // Both know what the caller may see: under load, each answer that is waited for costs as much as the rest of the call.
    const [device, ofDevice] = await Promise.all([
      deviceKind(db, caller, deviceId),
      channelsOfDevice(db, caller, deviceId, clock.date()),
    ]);
    if (!device) throw notFound();
    return groupedChannels(ofDevice, device.device_type);
  },
  ofModbusDevice: async ({ deviceId }, caller) => {
    const device = await deviceKind(db, caller, deviceId);
    if (device?.type_id !== Model.motorController) throw notFound();
    return channelsOfDevice(db, caller, deviceId, clock.date());
  },
  value: async ({ deviceChannelId }, caller) => {
    const [channel] = await channelValues(db, caller, [deviceChannelId], clock.date());
    if (!channel) throw notFound();
    return channel;
  },
  info: async ({ deviceId }, caller) => {
    if (!(await isDeviceInScope(db, caller, deviceId))) throw notFound();
    return channelInfos(db, caller, deviceId);
  },
  outputSources: async ({ deviceId }, caller) => {
    if (!(await isDeviceInScope(db, caller, deviceId))) throw notFound();
    return (await inputsForOutputs(db, caller, deviceId)).flatMap(sourcesOf);
  },
});
