import type { LiveValue } from "@telltale/contract/live";
import type { ModbusRegister } from "@telltale/contract/modbus";

/** The registers with a reading that has just come in; the same list when it is none of theirs. */
export const withReading = <R extends ModbusRegister>(
  registers: R[],
  { deviceChannelId, value, status, updateTime }: LiveValue,
): R[] => {
  if (!registers.some((register) => register.deviceChannelId === deviceChannelId)) return registers;
  const reading = { value, status, updateTime: new Date(updateTime) };
  return registers.map((register) =>
    register.deviceChannelId === deviceChannelId ? { ...register, ...reading } : register,
  );
};
