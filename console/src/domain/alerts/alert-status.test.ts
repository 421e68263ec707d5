import { AlertStatus } from "@telltale/contract/domains/alerts";
import { expect, it } from "vitest";
import { maskedId } from "../../ui/format/masked-id.ts";
import { alertStatusLook, isShownSilent } from "./alert-status.ts";

it("shows each state by label, shape and tone", () => {
  expect(alertStatusLook(1)).toEqual({ label: "Triggered", glyph: "diamond-solid-bang", tone: "triggered" });
  expect(alertStatusLook(2)).toEqual({ label: "Confirmed", glyph: "diamond-open-bang", tone: "confirmed" });
  expect(alertStatusLook(3)).toEqual({ label: "Cleared", glyph: "tick", tone: "cleared" });
});

it("shows by a clock what nobody is notified of, also once it has cleared, but not what people were notified of again", () => {
  const alert = { status: AlertStatus.triggered, isSilent: false, wasSilent: false };
  const { cleared, confirmed } = AlertStatus;
  expect(alertStatusLook(cleared, true)).toEqual({ label: "Cleared", glyph: "clock", tone: "silent" });
  expect(isShownSilent({ ...alert, isSilent: true })).toBe(true);
  expect(isShownSilent({ ...alert, status: cleared, wasSilent: true })).toBe(true);
  expect(isShownSilent({ ...alert, status: cleared })).toBe(false);
  expect(isShownSilent({ ...alert, status: confirmed, wasSilent: true }), "the silence has ended").toBe(false);
});

it("never shows an unknown state as handled", () => {
  expect(alertStatusLook(9).tone).toBe("triggered");
});

it("shows only the last 4 characters of a device ID", () => {
  expect(maskedId("7C9EBD4A41A7")).toBe("***41A7");
});
