/**
 * Numbers, or null where there is none, as text, which is a fifth of the usual one where neighbours are equal or alike: the first character says how many
 * decimals they have, the second from what the differences are: `1` the number before, `2` the line through the two before, whichever is nearer. Then
 * each number is its difference, in steps of the last decimal, of one letter or more. `=`: they have more decimals than three and follow as usual.
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
/** Largest number of steps that is exact after multiplying and dividing, and as a difference to a line of such ones. */
const largestSteps = 2 ** 48;

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
  const isHalf = steps % 5 === 0 && [10, 100, 1_000].some((unit) => Math.abs(steps % unit) * 2 === unit);
  if (!isHalf) return steps / power;
  const like = [0, 1, -1].find((off) => readsAlike((steps + off) / power, number)) ?? 0;
  return (steps + like) / power;
};

type Numbers = readonly (number | null)[];

/** The fewest decimals that all of them have; more than `mostDecimals` where some have more. */
const decimalsOf = (numbers: Numbers): number => {
  let decimals = 0;
  for (const number of numbers) {
    if (number === null) continue;
    while (decimals <= mostDecimals && stepsIn(number, powers[decimals] ?? 1) === undefined) decimals += 1;
  }
  return decimals;
};

/** Appends the digits of a whole number from 0, the least first. */
const addDigits = (parts: string[], number: number): void => {
  let rest = number;
  for (; rest >= base; rest = Math.floor(rest / base)) parts.push(letters[base + (rest % base)] ?? "");
  parts.push(letters[rest] ?? "");
};

/** What is expected of the next number, in steps. */
const createForecast = (order: 1 | 2) => {
  let [last, before] = [0, 0];
  return {
    next: () => (order === 1 ? last : 2 * last - before),
    take: (steps: number) => {
      [before, last] = [last, steps];
    },
  };
};

/** The order of forecast that is nearer to the numbers. */
const orderOf = (numbers: Numbers, power: number): 1 | 2 => {
  let sum = 0;
  let sumOfLine = 0;
  let last = 0;
  let before = 0;
  for (const number of numbers) {
    if (number === null) continue;
    const steps = number * power;
    sum += Math.abs(steps - last);
    sumOfLine += Math.abs(steps - 2 * last + before);
    before = last;
    last = steps;
  }
  return sumOfLine < sum ? 2 : 1;
};

/** Writes numbers as text; -0 is written as 0. */
export const writeNumbers = (numbers: Numbers): string => {
  const decimals = decimalsOf(numbers);
  const power = powers[decimals];
  if (power === undefined) return plain + numbers.map((number) => number ?? "").join();
  const order = orderOf(numbers, power);
  const forecast = createForecast(order);
  const parts = [`${decimals}${order}`];
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] ?? null;
    if (number === null) parts.push(none);
    else {
      const steps = Math.round(number * power);
      const change = steps - forecast.next();
      addDigits(parts, change < 0 ? -2 * change - 1 : 2 * change);
      forecast.take(steps);
    }
    const first = at;
    while (at + 1 < numbers.length && (numbers[at + 1] ?? null) === number) at += 1;
    if (at === first) continue;
    parts.push(repeated);
    addDigits(parts, at - first);
  }
  return parts.join("");
};

/** Reads what `writeNumbers` wrote. A few letters may stand for any number of equal ones: no more than one beyond `most` are expanded. */
export const readNumbers = (text: string, most = Number.POSITIVE_INFINITY): (number | null)[] => {
  if (text.startsWith(plain))
    return text
      .slice(1)
      .split(",")
      .map((number) => (number === "" ? null : Number(number)));
  const power = powers[Number(text[0])] ?? 1;
  const forecast = createForecast(text[1] === "2" ? 2 : 1);
  const numbers: (number | null)[] = [];
  let at = 2;
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
      for (let count = whole(); count > 0 && numbers.length <= most; count--) numbers.push(number);
    } else if (text[at] === none) {
      at += 1;
      numbers.push(null);
    } else {
      const change = whole();
      const steps = forecast.next() + (change % 2 === 0 ? change / 2 : -(change + 1) / 2);
      forecast.take(steps);
      numbers.push(steps / power);
    }
  }
  return numbers;
};
