import fc from "fast-check";
import { expect, test } from "vitest";
import { quoted, typedText } from "./quoted.rules.ts";

test.each([
  ["Riverside Works", "Riverside Works"],
  ["Booking.com B.V.", "Booking. com B.V."],
  ["https://www.evil.com/pay", "https: //www. evil. com/pay"],
  ["olga@example.test", "olga @ example. test"],
  ["AI1.2 of 10.0.0.5", "AI1.2 of 10.0.0.5"],
  ["Pump\u202e\u200bhouse\r\nBcc: x", "Pump house Bcc: x"],
])("%j is written as %j", (text, written) => {
  expect(typedText(text)).toBe(written);
});

test("no text is a link or a second line, whatever was kept", () => {
  const part = fc.constantFrom("a", "evil", ".", "。", "com", "@", "://", "www.", "\n", "\u202e", "\u2028", " ", "é");
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      expect(quoted(parts.join(""))).toMatch(/^“.*”$/u);
      const text = typedText(parts.join(""));
      expect(text).not.toMatch(/[\p{C}\u2028]|:\/\/|\S@\S|[\p{L}\p{N}-][.。]\p{L}{2}/u);
    }),
  );
});
