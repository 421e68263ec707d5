import { z } from "zod";
import { get } from "../call/call.ts";
import * as wire from "../call/wire.ts";
import { ShownSetting } from "./channels.ts";

/** Register groups of a motor controller: its channels, and separately its state and its settings. */
export const RegisterGroup = {
  current: "CURRENT",
  power: "POWER",
  operation: "OPERATION",
  status: "STATUS",
  setpoints: "SETPOINTS",
} as const;
export type RegisterGroup = (typeof RegisterGroup)[keyof typeof RegisterGroup];

/** One register: its keyword, and its newest value as the device sent it; null before the first. (spec 2 §3) */
export const ModbusRegister = z.object({
  deviceChannelId: z.int(),
  keywords: z.string(),
  value: z.number().nullable(),
  unit: z.string(),
  status: z.int(),
  updateTime: wire.time().nullable(),
});
export type ModbusRegister = z.output<typeof ModbusRegister>;

/** One channel of a modbus device. `status` is the worst of its registers: alarm, good, or no data when none has any. */
export const ModbusChannel = z.object({ channelName: z.string(), status: z.int() });
export type ModbusChannel = z.output<typeof ModbusChannel>;

export const ModbusChannelDetail = ModbusChannel.extend({
  detailSettings: z.array(ModbusRegister.extend({ settings: z.array(ShownSetting) })),
});
export type ModbusChannelDetail = z.output<typeof ModbusChannelDetail>;

const access = "configuration.read";
const ofDevice = z.object({ deviceId: wire.int() });

/** The configuration view of a third-party modbus device (typeId 6); other devices answer 404. (spec 2 §2, §7) */
export const modbus = {
  channelList: get("/api/channel/modbus/channelList", {
    access,
    summary: "The channels of a modbus device and their status",
    query: ofDevice,
    result: z.array(ModbusChannel),
  }),
  channelDetail: get("/api/channel/modbus/channelDetail", {
    access,
    summary: "The registers of one channel of a modbus device with their values and settings",
    query: ofDevice.extend({ channelName: wire.text(64) }),
    result: ModbusChannelDetail,
  }),
  setpoints: get("/api/channel/modbus/setpoints", {
    access,
    summary: "The settings that a modbus device reports",
    query: ofDevice,
    result: z.array(ModbusRegister),
  }),
  status: get("/api/channel/modbus/status", {
    access,
    summary: "The state that a modbus device reports",
    query: ofDevice,
    result: z.array(ModbusRegister),
  }),
};
