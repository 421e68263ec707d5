/**
 * Numbers, or null where there is none, as text, which is a fifth of the usual one where neighbours are equal or alike: the first character says how many
 * decimals they have; then each number is its difference to the one before, in steps of the last decimal, of one letter or more. `=`: they have more
 * decimals than three and follow as usual.
 */

/** Letters of the text: none that JSON would write as two. */
const letters = Array.from({ length: 92 }, (_, at) => String.fromCharCode(35 + at)).filter((letter) => letter !== "\\");
const placeOf: ReadonlyMap<string, number> = new Map(letters.map((letter, place) => [letter, place]));
/** A letter is a digit of this base; in its second half, another digit follows. */
const base = 45;
const none = "!";
const repeated = " ";
const plain = "=";

/** Most decimals that differences are written with. */
const mostDecimals = 3;
const powers = [1, 10, 100, 1_000];
/** Largest number of steps that is exact after multiplying and dividing. */
const largestSteps = 2 ** 50;

/** A number as steps of its last decimal; undefined when that is not exact. */
const stepsIn = (number: number, power: number): number | undefined => {
  const steps = Math.round(number * power);
  return Math.abs(steps) <= largestSteps && steps / power === number ? steps : undefined;
};

/** Whether two numbers are the same with each number of fewer decimals; a zero below it is one. */
const readsAlike = (one: number, other: number): boolean =>
  [0, 1, 2].every((decimals) => Number(one.toFixed(decimals)) === Number(other.toFixed(decimals)));

/** The number cut to the decimals that are written, not rounded: with fewer decimals it reads as before. */
export const cutDecimals = (number: number): number => {
  const power = powers[mostDecimals] ?? 1;
  if (stepsIn(number, power) !== undefined || Math.abs(number) * power > largestSteps) return number;
  const steps = Math.trunc(number * power);
  // The double nearest to a half may be on the other side of it, and be rounded the other way.
  const isHalf = [10, 100, 1_000].some((unit) => Math.abs(steps % unit) * 2 === unit);
  const like = [0, 1, -1].find((off) => !isHalf || readsAlike((steps + off) / power, number)) ?? 0;
  return (steps + like) / power;
};

type Numbers = readonly (number | null)[];

const decimalsOf = (numbers: Numbers): number =>
  powers.findIndex((power) => numbers.every((number) => number === null || stepsIn(number, power) !== undefined));

/** Digits of a whole number from 0, the least first. */
const digits = (number: number): string => {
  let text = "";
  let rest = number;
  for (; rest >= base; rest = Math.floor(rest / base)) text += letters[base + (rest % base)];
  return text + letters[rest];
};

/** Writes numbers as text; -0 is written as 0. */
export const writeNumbers = (numbers: Numbers): string => {
  const decimals = decimalsOf(numbers);
  const power = powers[decimals];
  if (power === undefined) return plain + numbers.map((number) => number ?? "").join();
  let text = String(decimals);
  let before = 0;
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] ?? null;
    const step = number === null ? before : Math.round(number * power);
    const change = step - before;
    text += number === null ? none : digits(change < 0 ? -2 * change - 1 : 2 * change);
    before = step;
    const first = at;
    while (at + 1 < numbers.length && (numbers[at + 1] ?? null) === number) at += 1;
    if (at > first) text += repeated + digits(at - first);
  }
  return text;
};

/** Reads what `writeNumbers` wrote. */
export const readNumbers = (text: string): (number | null)[] => {
  if (text.startsWith(plain))
    return text
      .slice(1)
      .split(",")
      .map((number) => (number === "" ? null : Number(number)));
  const power = powers[Number(text[0])] ?? 1;
  const numbers: (number | null)[] = [];
  let before = 0;
  let at = 1;
  const whole = (): number => {
    let [number, worth] = [0, 1];
    for (; ; worth *= base) {
      const place = placeOf.get(text[at] ?? "") ?? 0;
      at += 1;
      number += (place % base) * worth;
      if (place < base) return number;
    }
  };
  while (at < text.length) {
    if (text[at] === repeated) {
      at += 1;
      const number = numbers.at(-1) ?? null;
      for (let count = whole(); count > 0; count--) numbers.push(number);
    } else if (text[at] === none) {
      at += 1;
      numbers.push(null);
    } else {
      const change = whole();
      before += change % 2 === 0 ? change / 2 : -(change + 1) / 2;
      numbers.push(before / power);
    }
  }
  return numbers;
};
