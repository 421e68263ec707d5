import { expect, it } from "vitest";
import { maskedId } from "../../ui/format/masked-id.ts";
import { alertStatusLook } from "./alert-status.ts";

it("shows each state by label, shape and tone", () => {
  expect(alertStatusLook(1)).toEqual({ label: "Triggered", glyph: "diamond-solid-bang", tone: "triggered" });
  expect(alertStatusLook(2)).toEqual({ label: "Confirmed", glyph: "diamond-open-bang", tone: "confirmed" });
  expect(alertStatusLook(3)).toEqual({ label: "Cleared", glyph: "tick", tone: "cleared" });
});

it("never shows an unknown state as handled", () => {
  expect(alertStatusLook(9).tone).toBe("triggered");
});

it("shows only the last 4 characters of a device ID", () => {
  expect(maskedId("7C9EBD4A41A7")).toBe("***41A7");
});
