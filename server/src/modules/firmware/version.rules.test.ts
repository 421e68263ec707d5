import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isNewer, isSameVersion, latestOf, rollbackOf, versionOrder } from "./version.rules.ts";

describe("versions", () => {
  test.each([
    ["2.5.0", [2, 5, 0, 0]],
    ["v2.5", [2, 5, 0, 0]],
    ["10", [10, 0, 0, 0]],
    ["1.2.3.4", [1, 2, 3, 4]],
  ])("%s is read", (version, order) => expect(versionOrder(version)).toEqual(order));

  test.each(["", "latest", "1.2.3.4.5", "1..2", "1.2-rc1", "99999999999", "../1", "1 2"])("%j is none", (text) =>
    expect(versionOrder(text)).toBeUndefined(),
  );

  test("are compared as numbers, not as texts", () => {
    expect(isNewer("2.10.0", "2.9.9")).toBe(true);
    expect(isNewer("2.9.9", "2.10.0")).toBe(false);
    expect(isNewer("2.5", "2.5.0")).toBe(false);
    expect(isSameVersion("V2.5", "2.5.0")).toBe(true);
  });

  test("of two different ones exactly one is newer", () => {
    const version = fc.array(fc.nat(20), { minLength: 1, maxLength: 4 }).map((numbers) => numbers.join("."));
    fc.assert(
      fc.property(version, version, (one, other) => {
        expect([isNewer(one, other), isNewer(other, one), isSameVersion(one, other)].filter(Boolean)).toHaveLength(1);
      }),
    );
  });

  test("an unknown or invalid one is older than any", () => {
    expect(isNewer("1.0", null)).toBe(true);
    expect(isNewer("1.0", "factory")).toBe(true);
  });
});

const available = ["2.4.1", "2.5.0", "2.10.0"].map((version) => ({ version, versionType: 2 }));

test("the latest is the highest number", () => {
  expect(latestOf(available)?.version).toBe("2.10.0");
  expect(latestOf([])).toBeUndefined();
});

describe("a device goes back", () => {
  const installed = [{ version: "2.5.0", from: "v2.4.1" }];
  test("to what it ran before the present version", () =>
    expect(rollbackOf("2.5.0", installed, available)?.version).toBe("2.4.1"));
  test("not when its image is no longer stored", () => expect(rollbackOf("2.5.0", installed, [])).toBeUndefined());
  test("not when it runs something else since", () =>
    expect(rollbackOf("2.10.0", installed, available)).toBeUndefined());
  test("not forward, after it has gone back", () =>
    expect(rollbackOf("2.4.1", [{ version: "2.4.1", from: "2.5.0" }, ...installed], available)).toBeUndefined());
  test("step by step", () => {
    const steps = [
      { version: "2.5.0", from: "2.10.0" },
      { version: "2.10.0", from: "2.5.0" },
      { version: "2.5.0", from: "2.4.1" },
    ];
    expect(rollbackOf("2.5.0", steps, available)?.version).toBe("2.4.1");
  });
});
