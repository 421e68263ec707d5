import { type channels, type OutputSource, SourceType } from "@telltale/contract/channels";
import { Model } from "@telltale/contract/devices";
import { deviceHeader } from "../devices/queries.ts";
import { isDeviceInScope } from "../devices/scope-queries.ts";
import type { Handlers } from "../http/mount.ts";
import { notFound } from "../http/refusal.ts";
import type { World } from "../world.ts";
import { channelInfos, channelsOfDevice, channelValues, deviceKind } from "./queries.ts";
import { groupedChannels } from "./rules.ts";
import { inputsForOutputs, type OutputInput } from "./source-queries.ts";
import { hasAlarm } from "./sources.rules.ts";

/** An input's High and Low as what may drive an output. */
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
    const device = await deviceKind(db, caller, deviceId);
    if (!device) throw notFound();
    return groupedChannels(await channelsOfDevice(db, caller, deviceId), device.device_type);
  },
  ofModbusDevice: async ({ deviceId }, caller) => {
    const device = await deviceKind(db, caller, deviceId);
    if (device?.type_id !== Model.motorController) throw notFound();
    return channelsOfDevice(db, caller, deviceId);
  },
  value: async ({ deviceChannelId }, caller) => {
    const [channel] = await channelValues(db, caller, [deviceChannelId], clock.date());
    if (!channel) throw notFound();
    return channel;
  },
  header: async ({ deviceId }, caller) => {
    const header = await deviceHeader(db, caller, deviceId, clock.date());
    if (!header) throw notFound();
    return header;
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
