import type { AlertPriority } from "@telltale/contract/domains/alerts";
import { describe, expect, it } from "vitest";
import { lostConnection, mostUrgentNew, repeating, stillSilenced } from "./sounding.ts";

const alert = (alarmLogId: number, priority: AlertPriority) => ({ alarmLogId, priority });

describe("what sounds", () => {
  it("is the most urgent of the alerts that are new", () => {
    const alerts = [alert(1, 1), alert(2, 3), alert(3, 2)];
    expect(mostUrgentNew(alerts, new Set([1]))).toBe(2);
    expect(mostUrgentNew(alerts, new Set([1, 3]))).toBe(3);
    expect(mostUrgentNew(alerts, new Set([1, 2, 3]))).toBeUndefined();
  });

  it("goes on for a P1 alert that is not silenced, whatever was silenced before it came", () => {
    expect(repeating([alert(1, 1), alert(2, 2), alert(4, 1)], [1])).toEqual([alert(4, 1)]);
  });

  it("stays silenced while it lasts, and sounds again when it returns", () => {
    const silenced = [1, 2, lostConnection];
    expect(stillSilenced(silenced, { alerts: [alert(1, 1), alert(2, 1)], isLost: true })).toBe(silenced);
    expect(stillSilenced(silenced, { alerts: [alert(2, 1)], isLost: true })).toEqual([2, lostConnection]);
    expect(stillSilenced(silenced, { alerts: [alert(1, 1), alert(2, 1)], isLost: false })).toEqual([1, 2]);
  });
});
