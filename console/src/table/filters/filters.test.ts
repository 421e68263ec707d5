import { zoneOf } from "@telltale/contract/text/wall-clock";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { choice, days, isDay, moment, rangeErrors, rangeOf, rangeText, text, wholeNumber } from "./filters.ts";

describe("a text filter", () => {
  it("queries with the text, and has no query field without one", () => {
    expect(text("deviceName").fields(["pump"])).toEqual({ deviceName: "pump" });
    expect(text("deviceName").fields([])).toEqual({});
  });
  it("rejects blank text from an address", () => {
    expect(text("deviceName").accepts("  ")).toBe(false);
  });
});

describe("a number filter", () => {
  it.each(["60", "0"])("accepts %s", (value) => expect(wholeNumber("interval").accepts(value)).toBe(true));
  it.each(["", "-1", "1.5", "abc", "1e9", "99999999999"])("refuses %s", (value) => {
    expect(wholeNumber("interval").accepts(value)).toBe(false);
  });
  it("queries with a number", () => expect(wholeNumber("interval").fields(["60"])).toEqual({ interval: 60 }));
});

describe("a choice filter", () => {
  const status = choice("status", { 1: "Triggered", 2: "Confirmed" });
  it("queries with all selected numbers", () => expect(status.fields(["1", "2"])).toEqual({ status: [1, 2] }));
  it("tags a number with its label", () => expect(status.tag("2")).toBe("Confirmed"));
  it("rejects unknown values", () => {
    expect(status.accepts("3")).toBe(false);
    expect(status.accepts("toString")).toBe(false);
  });
});

describe("a moment", () => {
  const passed = moment("passedSince");
  it("queries with the moment of a link", () => {
    expect(passed.fields(["2026-11-20T12:48:00.000Z"])).toEqual({ passedSince: new Date("2026-11-20T12:48:00Z") });
  });
  it.each(["", "yesterday", "2026-13-99"])("does not accept '%s'", (value) =>
    expect(passed.accepts(value)).toBe(false),
  );
});

describe("a range of days", () => {
  const triggered = days("from", "to");
  it("includes both days entirely, in the viewer's time zone", () => {
    expect(triggered.fields(["2026-11-14~2026-11-20"])).toEqual({
      from: new Date(2026, 10, 14),
      to: new Date(2026, 10, 20, 23, 59, 59, 999),
    });
  });
  it("is one of the zone that the page names, where it names one", () => {
    const [chicago, kiritimati] = [zoneOf("America/Chicago"), zoneOf("Pacific/Kiritimati")];
    expect(triggered.fields(["2026-11-01~2026-11-01"], chicago), "25 hours long").toEqual({
      from: new Date("2026-11-01T05:00:00Z"),
      to: new Date("2026-11-02T05:59:59.999Z"),
    });
    expect(triggered.fields(["2026-11-14~2026-11-14"], kiritimati).from).toEqual(new Date("2026-11-13T10:00:00Z"));
  });
  it("may be a single day", () => expect(triggered.accepts("2026-11-14~2026-11-14")).toBe(true));
  it("is tagged with both ends", () => {
    expect(triggered.tag("2026-11-14~2026-11-20")).toBe("2026-11-14 ~ 2026-11-20");
  });
  it.each([
    [
      { start: "", end: "" },
      { start: "Please select start date", end: "Please select end date" },
    ],
    [{ start: "2026-11-14", end: "" }, { end: "Please select end date" }],
    [{ start: "", end: "2026-11-14" }, { start: "Please select start date" }],
    [{ start: "2026-02-30", end: "2026-03-01" }, { start: "Please select start date" }],
    [{ start: "2026-11-20", end: "2026-11-14" }, { end: "End date is before start date" }],
    [{ start: "2026-11-14", end: "2026-11-20" }, {}],
  ])("complains about %j as specified", (range, validationErrors) =>
    expect(rangeErrors(range)).toEqual(validationErrors),
  );
  it("survives encoding in the address", () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(2000, 0, 1), max: new Date(2099, 11, 31), noInvalidDate: true }), (date) => {
        const start = date.toISOString().slice(0, 10);
        expect(isDay(start)).toBe(true);
        expect(rangeOf(rangeText({ start, end: start }))).toEqual({ start, end: start });
      }),
    );
  });
  it.each(["", "~", "2026-11-14", "2026-11-14~nonsense", "a~b~c"])("does not accept '%s' from an address", (value) => {
    expect(triggered.accepts(value)).toBe(false);
    expect(triggered.fields([value])).toEqual({});
  });
});
