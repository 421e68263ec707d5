import { Model } from "@telltale/contract/devices";
import { type ModbusRegister, type modbus, RegisterGroup } from "@telltale/contract/modbus";
import type { Scope } from "../devices/scope-queries.ts";
import type { Handlers } from "../http/mount.ts";
import { notFound } from "../http/refusal.ts";
import type { World } from "../world.ts";
import { modbusChannels, worstStatus } from "./modbus.rules.ts";
import { deviceKind } from "./queries.ts";
import { type ReadRegister, registersOfDevice } from "./register-queries.ts";

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
