import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gsm, gsmName, shortened } from "./gsm.rules.ts";

describe("an SMS' characters", () => {
  test.each([
    ["Pump house 3 µm³, 4 °C", "Pump house 3 um3, 4 C"],
    ["Łódź – stół", "Lodz - stol"],
    ["Größe Überlauf", "Größe Überlauf"],
    ["a\r\nBcc: b", "a Bcc: b"],
    ["Насос", "?????"],
  ])("%s is written %s", (text, written) => {
    expect(gsm(text)).toBe(written);
  });

  test("are one septet each, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const written = gsm(text);
        expect(gsm(written)).toBe(written);
        expect(written).not.toMatch(/[[\]{}\\~^|€\n\r]/);
      }),
    );
  });

  test("stand for the device's ID when the name has hardly any of them", () => {
    expect(gsmName("Насос 3", "7C9EBD5C1E08")).toBe("7C9EBD5C1E08");
    expect(gsmName("Pump №3", "7C9EBD5C1E08")).toBe("Pump ?3");
    expect(gsmName("", "AI1")).toBe("AI1");
  });

  test("are never more than asked for", () => {
    expect(shortened("Discharge pressure", 12)).toBe("Discharge..");
    expect(shortened("Short", 12)).toBe("Short");
  });
});
