import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { enrolment, isAppCode, normalCode, recoveryCodeOf, shownCode, stepOf } from "./rules.ts";

const secret = Buffer.from("12345678901234567890");

describe("the codes of an authenticator app", () => {
  test.each([
    [59_000, "287082", 1],
    [1_111_111_109_000, "081804", 37_037_036],
    [1_111_111_111_000, "050471", 37_037_037],
    [1_234_567_890_000, "005924", 41_152_263],
    [2_000_000_000_000, "279037", 66_666_666],
    [20_000_000_000_000, "353130", 666_666_666],
  ])("are those of RFC 6238, appendix B, at %d", (now, code, step) => {
    expect(stepOf(secret, code, now)).toBe(step);
  });

  test("count half a minute early and late, with their own step, and no longer", () => {
    const now = 1_111_111_111_000;
    const at = (steps: number) => stepOf(secret, "050471", now + steps * 30_000);
    expect([-2, -1, 0, 1, 2].map(at)).toEqual([undefined, 37_037_037, 37_037_037, 37_037_037, undefined]);
  });

  test.each(["", "05047", "0504711", "05047x", "050 471"])("are nothing else: %j", (code) => {
    expect(stepOf(secret, code, 1_111_111_111_000)).toBeUndefined();
  });

  test("come from a secret that an app can read by camera", () => {
    const { secret: typed, uri } = enrolment(secret, "olga+plant@example.test");
    expect(typed).toBe("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
    const address = new URL(uri);
    expect([address.protocol, address.host]).toEqual(["otpauth:", "totp"]);
    expect(decodeURIComponent(address.pathname)).toBe("/Telltale:olga+plant@example.test");
    expect(Object.fromEntries(address.searchParams)).toEqual({
      issuer: "Telltale",
      secret: typed,
      algorithm: "SHA1",
      digits: "6",
      period: "30",
    });
  });
});

describe("a recovery code", () => {
  test("is the same however it is typed", () => {
    const bytes = fc.uint8Array({ minLength: 10, maxLength: 10 });
    fc.assert(
      fc.property(bytes, (random) => {
        const code = recoveryCodeOf(random);
        expect(code).toMatch(/^[A-Z2-7]{10}$/);
        expect(shownCode(code)).toMatch(/^[A-Z2-7]{5}-[A-Z2-7]{5}$/);
        expect(isAppCode(code)).toBe(false);
        for (const typed of [shownCode(code), code.toLowerCase(), ` ${[...code].join(" ")} `]) {
          expect(normalCode(typed)).toBe(code);
        }
      }),
    );
  });
});
