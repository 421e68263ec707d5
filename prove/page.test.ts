import { expect, test } from "vitest";
import { pageWith } from "../e2e/results-page.ts";
import type { Scenario } from "./finding.ts";
import { intro, partOf } from "./page.ts";

const aScenario = (title: string): Scenario => ({ title, does: `Does ${title}.`, run: async () => [] });
const [kills, floods] = [aScenario("Kills"), aScenario("Floods")];
const titles = [kills.title, floods.title];
const kept = { promise: "Nothing is lost", counted: "50 readings", isKept: true };

test("a repeated part replaces its earlier one, and the others stay", () => {
  const both = pageWith("", intro, [partOf(floods, [kept], "On Monday."), partOf(kills, [kept], "On Monday.")], titles);
  const again = pageWith(both, intro, [partOf(kills, [{ ...kept, isKept: false }], "On Tuesday.")], titles);
  expect(again).toMatch(/^# Reliability\n/);
  expect(again.match(/^## .*$/gm)).toEqual(["## Kills", "## Floods"]);
  expect(again).toContain("On Tuesday.");
  expect(again.match(/On Monday\./g)).toHaveLength(1);
  expect(again).toContain("| Nothing is lost | 50 readings | **not kept** |");
  expect(pageWith(again, intro, [], titles)).toBe(again);
});

test("what could not be tested is not reported as kept", () => {
  const page = partOf(floods, [{ promise: "The river stays in its bed", counted: "there was no river" }], "On Monday.");
  expect(page).toContain("| The river stays in its bed | there was no river | **not tried** |");
});
