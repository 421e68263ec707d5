import { analogUnits, measuredAnalogs, ntcTypes } from "@telltale/contract/channel-types/options";
import type { channelSettings } from "@telltale/contract/domains/channel-settings";
import { analogLabels, ChannelType } from "@telltale/contract/domains/channels";
import { isDeviceInScope, type Scope } from "../../access/index.ts";
import { invalid, notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { Handlers } from "../../platform/http/mount.ts";
import type { World } from "../../world.ts";
import type { RequestedChannel } from "./settings/save.rules.ts";
import { saveChannels } from "./settings/save.ts";
import { deviceSetup, rowOf } from "./settings/setup.ts";
import { type ChannelWithSettings, channelsWithSettings, deviceOfChannel } from "./settings/setup-queries.ts";

export const channelSettingRoutes = (world: Pick<World, "db" | "clock">): Handlers<typeof channelSettings> => {
  const { db } = world;
  const channelsOf = async (scope: Scope, deviceId: number): Promise<ChannelWithSettings[]> => {
    if (!(await isDeviceInScope(db, scope, deviceId))) throw notFound();
    return channelsWithSettings(db, scope, deviceId);
  };
  const saveOne = async (input: RequestedChannel & { settingsVersion?: number | undefined }, caller: Caller) => {
    const deviceId = await deviceOfChannel(db, caller, input.channelId);
    if (deviceId === undefined) throw notFound();
    const { settingsVersion, ...channel } = input;
    return { settingsVersion: await saveChannels(world, { deviceId, settingsVersion, channels: [channel] }, caller) };
  };
  return {
    units: async ({ channelAnalogId }) =>
      Object.entries(analogUnits)
        .map(([analog, units]) => ({ channelAnalogId: Number(analog), units: [...units] }))
        .filter((each) => channelAnalogId === undefined || each.channelAnalogId === channelAnalogId),
    thermistors: async () => Object.entries(ntcTypes).map(([ntcType, ntc]) => ({ ntcType, ...ntc })),
    analogs: async () => measuredAnalogs.map((analog) => ({ channelAnalogId: analog, name: analogLabels[analog] })),
    setup: async ({ deviceId }, caller) => {
      const setup = await deviceSetup(db, caller, deviceId);
      if (!setup) throw notFound();
      return setup;
    },
    choices: async ({ deviceId }, caller) =>
      (await channelsOf(caller, deviceId)).map((row) => ({
        ...rowOf(row),
        zero: row.settings.zero ?? null,
        span: row.settings.span ?? null,
      })),
    outputs: async ({ deviceId }, caller) =>
      (await channelsOf(caller, deviceId)).filter((row) => row.channel_type === ChannelType.digitalOutput).map(rowOf),
    modify: async ({ deviceId, settingsVersion, payload }, caller) => ({
      settingsVersion: await saveChannels(world, { deviceId, settingsVersion, channels: payload }, caller),
    }),
    modifyBasic: saveOne,
    modifyOutput: async (input, caller) => {
      const deviceId = await deviceOfChannel(db, caller, input.channelId);
      if (deviceId === undefined) throw notFound();
      const outputs = (await channelsOf(caller, deviceId)).filter(
        (row) => row.channel_type === ChannelType.digitalOutput,
      );
      if (!outputs.some(({ channel_id }) => channel_id === input.channelId)) throw invalid("This is no digital output");
      return saveOne(input, caller);
    },
  };
};
