import { expect, test } from "vitest";
import { parseFleet } from "./fleet.ts";
import { aFleet } from "./test-fleet.ts";

test("a fleet description is parsed as written; a channel may be its code alone", () => {
  const fleet = aFleet();
  expect(parseFleet(JSON.stringify(fleet))).toEqual(fleet);
  const [device] = parseFleet(
    JSON.stringify([{ deviceSnId: "A", accessToken: "t", typeId: 1, deviceType: 1, channels: ["AI1"] }]),
  );
  expect(device?.channels).toEqual([{ code: "AI1", name: "", settings: {} }]);
});

test("an invalid fleet description is refused with the first error", () => {
  const [main, sub] = aFleet();
  expect(() => parseFleet("[]")).toThrow();
  expect(() => parseFleet(JSON.stringify([{ ...main, accessToken: undefined }]))).toThrow("accessToken");
  expect(() => parseFleet(JSON.stringify([sub]))).toThrow(
    "The master 7C9EBD000001 of 7C9EBD000002 is not in the fleet",
  );
});
