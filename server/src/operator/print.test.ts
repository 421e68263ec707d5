import { afterEach, expect, test, vi } from "vitest";
import { print } from "./print.ts";

afterEach(() => vi.restoreAllMocks());

test("as many rows as there are devices are printed as a table", () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  print(
    Array.from({ length: 200_000 }, (_, n) => ({ name: `Device ${n}` })),
    false,
  );
  const lines = String(log.mock.calls[0]?.[0]).split("\n");
  expect(lines).toHaveLength(200_001);
  expect(lines.at(-1)).toBe("Device 199999");
});
