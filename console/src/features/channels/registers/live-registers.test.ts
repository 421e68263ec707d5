import { LiveCommand } from "@telltale/contract/live";
import { expect, test } from "vitest";
import { withReading } from "./modbus-view.tsx";

const register = (deviceChannelId: number) => ({
  deviceChannelId,
  keywords: `R${deviceChannelId}`,
  value: null,
  unit: "A",
  status: 2,
  updateTime: null,
});

const reading = (deviceChannelId: number) =>
  ({ cmd: LiveCommand.value, deviceChannelId, value: 4.5, status: 1, updateTime: 1000 }) as const;

test("a reading updates only its own register", () => {
  const before = [register(1), register(2)];
  const after = withReading(before, reading(2));
  expect(after[0]).toBe(before[0]);
  expect(after[1]).toMatchObject({ keywords: "R2", value: 4.5, status: 1, updateTime: new Date(1000) });
});

test("a reading of another channel returns the same list, so that nothing re-renders", () => {
  const before = [register(1)];
  expect(withReading(before, reading(7))).toBe(before);
});
