import { expect, test } from "vitest";
import { failureIn, refusalIn } from "./device-calls.ts";

test.each([
  [{ success: true }, undefined],
  [{}, undefined],
  [null, undefined],
  [{ success: false, error: "No digital output DO9" }, "No digital output DO9"],
  [{ success: false }, "The device refused the command"],
  [{ success: false, error: "No\u0000 output \ud800" }, "No output \ufffd"],
  [{ success: false, error: "\u0000" }, "The device refused the command"],
  [{ error: 5 }, "The device refused the command"],
  [{ result: { error: "Unsupported RPC" } }, "Unsupported RPC"],
  [{ result: { success: true } }, undefined],
])("a command's answer %j means %j", (answer, refusal) => expect(refusalIn(answer)).toBe(refusal));

test.each([
  [{ success: false, error: "Pumping" }, true],
  [{ result: { success: false } }, true],
  [{ error: "Unsupported RPC" }, false],
  [{ success: true }, undefined],
])("an answer %j to a command that a device need not know is a refusal: %s", (answer, isRefusal) =>
  expect(failureIn(answer)?.isRefusal).toBe(isRefusal),
);
