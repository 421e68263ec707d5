import { defaultBaudRate, ModbusCheck } from "@telltale/contract/domains/device-configuration";
import type { CallFault } from "../../../platform/device-calls.ts";
import { fieldOf } from "../../../platform/fault.ts";

/** Parameters of the master's check; the controller's line is 9600 8N1. (spec 2 §9) */
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

/** Parses a master's answer to `modbusCheck`: `{"success": true}`, or `{"success": false, "error": "…"}`. */
export const checkOf = (answer: unknown): { state: ModbusCheck; reason?: string } => {
  const error = fieldOf(answer, "error");
  if (fieldOf(answer, "success") === true) return { state: ModbusCheck.found };
  return { state: ModbusCheck.notAnswering, ...(typeof error === "string" && { reason: error.slice(0, 200) }) };
};

/** The check's result when the master gave no answer. */
export const failedCheck = (fault: CallFault): ModbusCheck => failures[fault];

const failures: Record<CallFault, ModbusCheck> = {
  "not-connected": ModbusCheck.masterNotConnected,
  "not-listening": ModbusCheck.masterNotListening,
  "no-answer": ModbusCheck.masterSilent,
};

/** The result of a check as a sentence, with what to do. */
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
