import type { RpcMethod } from "@telltale/contract/device-api";
import type { Device } from "./device.ts";

/** A device's answer to an RPC command, and whether it restarts afterwards. */
export interface Answer {
  result: Record<string, unknown>;
  restarts?: boolean;
}

type Params = Record<string, unknown>;

const refuse = (error: string): Answer => ({ result: { success: false, error } });

const setOutput = (device: Device, { channel, value }: Params): Answer => {
  if (typeof channel !== "string" || !device.outputs.levels.has(channel))
    return refuse(`No digital output ${String(channel)}`);
  if (value !== 0 && value !== 1 && typeof value !== "boolean") return refuse("An output is driven to 0 or 1");
  device.outputs.levels.set(channel, Number(value));
  return { result: { success: true, channel, value: Number(value) } };
};

/** A restart resets commanded outputs: relays drop out without supply voltage. */
const restart = (device: Device): Answer => {
  for (const code of device.outputs.levels.keys()) device.outputs.levels.set(code, 0);
  return { result: { success: true }, restarts: true };
};

/** The shared attributes describe the image and its digest: the command only triggers looking at them. */
const updateFirmware = (_device: Device, { version }: Params): Answer =>
  typeof version === "string" && version !== "" ? { result: { success: true } } : refuse("No version was named");

/** Baud rate of the simulated modbus line. */
const lineBaudRate = 9600;

/** Reads a register of the device at an address of the master's line: a missing device, or a wrong baud rate, gives no answer. */
const modbusCheck = (
  _master: Device,
  { address, baudRate = lineBaudRate }: Params,
  line: readonly Device[],
): Answer => {
  const requested = line.find(({ spec }) => spec.modbusAddress != null && spec.modbusAddress === address);
  if (!requested || requested.isSilent || baudRate !== lineBaudRate)
    return refuse(`No answer from address ${String(address)}`);
  return { result: { success: true, address, baudRate } };
};

const methods: Record<RpcMethod, (device: Device, params: Params, line: readonly Device[]) => Answer> = {
  setOutput,
  restart,
  updateFirmware,
  modbusCheck,
};

const isMethod = (name: string): name is RpcMethod => Object.hasOwn(methods, name);
const isParams = (value: unknown): value is Params => typeof value === "object" && value !== null;

/**
 * Executes a command; an unknown or invalid one is answered with an error and has no effect. `line` are the devices that are reached through this
 * one.
 */
export const executeCommand = (
  device: Device,
  method: string,
  params: unknown,
  line: readonly Device[] = [],
): Answer => {
  if (!isMethod(method)) return refuse(`Unknown method ${method}`);
  return methods[method](device, isParams(params) ? params : {}, line);
};
