import { expect, it } from "vitest";
import { consequences, priorityOf, timesToAct } from "./priority.rules.ts";

it("a priority follows from consequence and time to act", () => {
  const table = consequences.map(({ value }) => timesToAct.map((time) => priorityOf(value, time.value)));
  expect(table).toEqual([
    [1, 1, 2],
    [1, 2, 3],
    [2, 3, 3],
  ]);
});
