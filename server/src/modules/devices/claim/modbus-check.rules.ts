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

/** The result of a check, and why it is not a better one, where that was said. */
interface Check {
  state: ModbusCheck;
  reason?: string;
}

/** Parses a master's answer to `modbusCheck`: `{"success": true}`, or `{"success": false, "error": "…"}`. */
export const checkOf = (answer: unknown): Check => {
  const error = fieldOf(answer, "error");
  if (fieldOf(answer, "success") === true) return { state: ModbusCheck.found };
  return { state: ModbusCheck.notAnswering, ...(typeof error === "string" && { reason: error.slice(0, 200) }) };
};

/** The check's result when the master gave no answer, or none that could be passed on. */
export const failedCheck = (fault: CallFault): Check => failures[fault];

const failures: Record<CallFault, Check> = {
  "not-connected": { state: ModbusCheck.masterNotConnected },
  "not-listening": { state: ModbusCheck.masterNotListening },
  "no-answer": { state: ModbusCheck.masterSilent },
  "too-large": { state: ModbusCheck.masterSilent, reason: "its answer is too large" },
};

/** The result of a check as a sentence, with what to do. */
export const checkSentence = ({ state, reason }: Check, line: Line): string => {
  const { device, master, address, baudRate } = line;
  switch (state) {
    case ModbusCheck.found:
      return `${device} answers at address ${address}`;
    case ModbusCheck.notAnswering:
      return `${device} does not answer at address ${address}, ${baudRate} baud: look at its address, baud rate and wiring${reason ? ` (${reason})` : ""}`;
    case ModbusCheck.masterSilent:
      return reason
        ? `${master} did not say whether ${device} answers: ${reason}`
        : `${master} did not say in time whether ${device} answers. Please try again`;
    case ModbusCheck.masterNotListening:
      return `${master} is connected but has not subscribed to commands: look at its firmware or its gateway`;
    default:
      return `${master} is not connected: check once it is online`;
  }
};
