import { z } from "zod";
import { readNumbers, writeNumbers } from "./number-text.ts";
import { errorOf, issueOf } from "./wire.ts";

/** Many numbers in an answer, or null where there is none: see `writeNumbers`. */
export const numbers = () =>
  z.codec(z.string(), z.custom<readonly (number | null)[]>(Array.isArray), {
    decode: (text) => readNumbers(text),
    encode: writeNumbers,
  });

const isNumber = (number: number | null): number is number => number !== null && Number.isFinite(number);

/** Many numbers in a request, at most `most`: see `writeNumbers`. */
export const numbersUpTo = (most: number) => {
  const wrong = { takes: `at most ${most} numbers` };
  return z.codec(z.string({ error: errorOf(wrong) }), z.custom<readonly number[]>(Array.isArray), {
    decode: (text, context) => {
      const numbers = readNumbers(text, most);
      if (numbers.length <= most && numbers.every(isNumber)) return numbers;
      context.issues.push(issueOf(wrong, text));
      return z.NEVER;
    },
    encode: writeNumbers,
  });
};
