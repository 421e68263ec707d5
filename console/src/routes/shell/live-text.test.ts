import { expect, it } from "vitest";
import { liveText } from "./live-indicator.tsx";

const now = 1_763_700_000_000;

it("counts down the whole seconds to the next attempt", () => {
  const waiting = { state: "reconnecting", lastMessageAt: now - 9000, retryAt: now + 4000 } as const;
  expect(liveText(waiting, now)).toEqual({ text: "Reconnecting in 4 s", isLost: true });
  expect(liveText(waiting, now + 3100).text).toBe("Reconnecting in 1 s");
  expect(liveText(waiting, now + 4200).text).toBe("Reconnecting");
  expect(liveText({ ...waiting, retryAt: null }, now)).toEqual({ text: "Reconnecting", isLost: true });
});

it("does not report the first attempt as a loss", () => {
  expect(liveText({ state: "reconnecting", lastMessageAt: null, retryAt: null }, now)).toEqual({
    text: "Connecting",
    isLost: false,
  });
  expect(liveText({ state: "reconnecting", lastMessageAt: null, retryAt: now + 4000 }, now).isLost).toBe(true);
  expect(liveText({ state: "live", lastMessageAt: now, retryAt: null }, now)).toEqual({ text: "Live", isLost: false });
});
