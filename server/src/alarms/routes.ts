import { type alarms, systemClasses } from "@telltale/contract/alarms";
import { AlertClass } from "@telltale/contract/alerts";
import type { Handlers } from "../http/mount.ts";
import { notFound } from "../http/refusal.ts";
import type { World } from "../world.ts";
import { alarmChannels, isPlantsDevice } from "./channel-queries.ts";
import { addAlarm, removeAlarm, updateAlarm } from "./configure.ts";
import { alarmInfo, alarmNames, alarmPage } from "./list-queries.ts";

export const alarmRoutes = (world: Pick<World, "db" | "bus" | "clock">): Handlers<typeof alarms> => ({
  systemList: (filter, caller) => alarmPage(world.db, caller.plantId, systemClasses, filter),
  list: (filter, caller) => alarmPage(world.db, caller.plantId, [AlertClass.custom], filter),
  info: async ({ alarmId }, caller) => {
    const info = await alarmInfo(world.db, caller.plantId, alarmId);
    if (!info) throw notFound();
    return info;
  },
  names: (_, caller) => alarmNames(world.db, caller.plantId),
  channels: async ({ deviceId }, caller) => {
    if (!(await isPlantsDevice(world.db, caller.plantId, deviceId))) throw notFound();
    return alarmChannels(world.db, caller.plantId, deviceId);
  },
  add: async (asked, caller) => ({ alarmId: await addAlarm(world, asked, caller) }),
  update: async (asked, caller) => {
    await updateAlarm(world, asked, caller);
    return null;
  },
  remove: async ({ alarmId }, caller) => {
    await removeAlarm(world, alarmId, caller);
    return null;
  },
});
