import { z } from "zod";
import { get } from "../call/call.ts";
import * as wire from "../call/wire.ts";
import { ShownSetting } from "./channels.ts";

/** Groups of a motor controller's registers: its channels, and apart from them what state it is in and what it is set to. */
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

/** The configuration view of a third-party modbus device (typeId 6); for any other device these are not found. (spec 2 §2, §7) */
export const modbus = {
  channelList: get("/api/channel/modbus/channelList", {
    access,
    summary: "The channels of a modbus device and how they are",
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
    summary: "What a modbus device says it is set to",
    query: ofDevice,
    result: z.array(ModbusRegister),
  }),
  status: get("/api/channel/modbus/status", {
    access,
    summary: "The state a modbus device says it is in",
    query: ofDevice,
    result: z.array(ModbusRegister),
  }),
};
