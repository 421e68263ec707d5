import { defaultBaudRate, ModbusCheck } from "@telltale/contract/domains/device-configuration";
import type { CallFault } from "../../../platform/device-calls.ts";
import { fieldOf } from "../../../platform/fault.ts";

/** What a master is told to ask for: the controller's line is 9600 8N1. (spec 2 §9) */
export const checkFrom = (address: number) => ({
  address,
  baudRate: defaultBaudRate,
  dataBits: 8,
  parity: "none",
  stopBits: 1,
});

interface Line {
  address: number;
  baudRate: number;
  device: string;
  master: string;
}

/** What a master has answered to `modbusCheck`: `{"success": true}`, or `{"success": false, "error": "…"}`. */
export const checkOf = (answer: unknown): { state: ModbusCheck; reason?: string } => {
  const error = fieldOf(answer, "error");
  if (fieldOf(answer, "success") === true) return { state: ModbusCheck.found };
  return { state: ModbusCheck.notAnswering, ...(typeof error === "string" && { reason: error.slice(0, 200) }) };
};

/** What it means that a master brought no answer at all. */
export const failedCheck = (fault: CallFault): ModbusCheck => failures[fault];

const failures: Record<CallFault, ModbusCheck> = {
  "not-connected": ModbusCheck.masterNotConnected,
  "not-listening": ModbusCheck.masterNotListening,
  "no-answer": ModbusCheck.masterSilent,
};

/** What came of a check, and what to do about it. */
export const checkSentence = ({ state, reason }: { state: ModbusCheck; reason?: string }, line: Line): string => {
  const { device, master, address, baudRate } = line;
  switch (state) {
    case ModbusCheck.found:
      return `${device} answers at address ${address}`;
    case ModbusCheck.notAnswering:
      return `${device} does not answer at address ${address}, ${baudRate} baud: look at its address, baud rate and wiring${reason ? ` (${reason})` : ""}`;
    case ModbusCheck.masterSilent:
      return `${master} did not say in time whether ${device} answers. Please try again`;
    case ModbusCheck.masterNotListening:
      return `${master} is connected but has not subscribed to commands: look at its firmware or its gateway`;
    default:
      return `${master} is not connected: check once it is online`;
  }
};
