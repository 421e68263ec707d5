import type { channels } from "@telltale/contract/channels";
import { Model } from "@telltale/contract/devices";
import type { Handlers } from "../http/mount.ts";
import { notFound } from "../http/refusal.ts";
import type { World } from "../world.ts";
import { channelsOfDevice, channelValues, deviceKind } from "./queries.ts";
import { groupedChannels } from "./rules.ts";

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
});
