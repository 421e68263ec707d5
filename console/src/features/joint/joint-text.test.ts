import { AlertType } from "@telltale/contract/domains/alerts";
import { JointEnding } from "@telltale/contract/domains/joint";
import { expect, test } from "vitest";
import { conditionText, endingText, ruleSentence } from "./joint-text.ts";

const source = {
  alarmType: AlertType.high as AlertType,
  alarmId: null,
  alarmName: "",
  threshold: 8 as number | null,
  unit: "bar",
};

test.each([
  [{}, "High, from 8 bar"],
  [{ alarmType: AlertType.low, threshold: 2 }, "Low, down to 2 bar"],
  [{ alarmType: AlertType.digitalInput, threshold: 1, unit: "" }, "ON"],
  [{ alarmType: AlertType.digitalInput, threshold: 0, unit: "" }, "OFF"],
  [{ alarmType: AlertType.counting, threshold: 480, unit: "" }, "Counting, from 480"],
  [{ alarmId: 3, alarmName: "Pump 1 warm" }, "Pump 1 warm: High, from 8 bar"],
  [{ threshold: null }, "High"],
])("%j triggers when '%s'", (more, words) => expect(conditionText({ ...source, ...more })).toBe(words));

test("a rule is described in a sentence", () => {
  const rule = {
    source: { ...source, channelName: "Discharge pressure", deviceName: "Pump 3" },
    output: { channelName: "Beacon", deviceName: "Yard" },
  };
  expect(ruleSentence({ ...rule, level: 1, ending: JointEnding.back })).toBe(
    "When Discharge pressure of Pump 3 is in alert (High, from 8 bar), Beacon of Yard ON; afterwards back to OFF.",
  );
  expect(endingText({ level: 0, ending: JointEnding.stay })).toBe("stays OFF");
});
