import { ModbusCheck } from "@telltale/contract/domains/device-configuration";
import { DeviceStatus, DeviceType } from "@telltale/contract/domains/devices";
import { describe, expect, test } from "vitest";
import type { CallFault } from "../../../platform/device-calls.ts";
import { checkFrom, checkOf, checkSentence, failedCheck } from "../claim/modbus-check.rules.ts";
import { intervalError, isRestart, masterError, removeError } from "./configuration.rules.ts";

describe("deleting a device", () => {
  const disableFirst = "Disable op before deleting the device";
  test.each([
    ["normal", { status: DeviceStatus.normal, isDisabled: false, subDevices: 0 }, disableFirst],
    ["payment due", { status: DeviceStatus.paymentDue, isDisabled: false, subDevices: 0 }, disableFirst],
    ["disabled", { status: DeviceStatus.inactive, isDisabled: true, subDevices: 0 }, undefined],
    ["never seen", { status: DeviceStatus.inactive, isDisabled: false, subDevices: 0 }, undefined],
    [
      "disabled with sub-devices",
      { status: DeviceStatus.inactive, isDisabled: true, subDevices: 2 },
      "Delete the 2 sub-devices of this device first",
    ],
    [
      "never seen with one sub-device",
      { status: DeviceStatus.inactive, isDisabled: false, subDevices: 1 },
      "Delete the sub-device of this device first",
    ],
  ])("that is %s", (_name, device, validationError) => {
    expect(removeError(device)).toBe(validationError);
  });
});

test("a report interval is not below what is paid for", () => {
  expect(intervalError(9, 10)).toBe("Cannot be less than: 10");
  expect(intervalError(10, 10)).toBeUndefined();
});

test("the interval in force, alone, is a restart; anything else is a change", () => {
  expect(isRestart({ periodicity: 60 }, 60)).toBe(true);
  expect(isRestart({ periodicity: 61 }, 60)).toBe(false);
  expect(isRestart({ periodicity: 60, deviceName: "Pump" }, 60)).toBe(false);
  expect(isRestart({ offlineReport: 60 }, 60)).toBe(false);
});

test("a master is a main device", () => {
  expect(masterError({ deviceType: DeviceType.main })).toBeUndefined();
  expect(masterError({ deviceType: DeviceType.sub })).toBe("Choose a main device as Master device, not a sub-device");
});

describe("a modbus check", () => {
  const line = { ...checkFrom(7), device: "Drive", master: "Pump house" };
  test.each([
    [{ success: true }, ModbusCheck.found, "Drive answers at address 7"],
    [
      { success: false, error: "timeout" },
      ModbusCheck.notAnswering,
      "Drive does not answer at address 7, 9600 baud: look at its address, baud rate and wiring (timeout)",
    ],
    [null, ModbusCheck.notAnswering, expect.stringContaining("does not answer at address 7")],
    ["yes", ModbusCheck.notAnswering, expect.stringContaining("does not answer at address 7")],
  ])("of a master that answers %j", (answer, state, sentence) => {
    const check = checkOf(answer);
    expect(check.state).toBe(state);
    expect(checkSentence(check, line)).toEqual(sentence);
  });

  test("of a master that is away, or silent, or says too much, says so", () => {
    const sentenceOf = (fault: CallFault) => checkSentence(failedCheck(fault), line);
    expect(sentenceOf("not-connected")).toBe("Pump house is not connected: check once it is online");
    expect(sentenceOf("no-answer")).toBe("Pump house did not say in time whether Drive answers. Please try again");
    expect(sentenceOf("too-large")).toBe("Pump house did not say whether Drive answers: its answer is too large");
  });
});
