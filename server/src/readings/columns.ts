/** A column of numbers in the narrowest form from which each comes back bit for bit. */
interface Form {
  /** 0 when all numbers are equal, otherwise bytes a number: 1, 2 or 4 of an unsigned offset from `base`; `single` and `double` are the numbers themselves. */
  kind: number;
  /** Decimals: the offsets count steps of 10 to the power of minus `scale`. */
  scale: number;
  base: number;
}

const single = 5;
const double = 8;
const bytesOfKind = (kind: number): number => (kind === single ? 4 : kind);

/** Bytes of kind, scale and base. */
const formSize = 10;

const powers = [1, 10, 100, 1_000, 10_000];
/** Largest number of steps at which multiplying and dividing by a power of ten is exact after rounding. */
const largestSteps = 2 ** 50;

const stepsOf = (number: number, scale: number): number => Math.round(number * (powers[scale] ?? 1));

/** Whether the number is this many steps of its scale, exactly. Not so of -0 and NaN. */
const isDecimal = (number: number, scale: number): boolean => {
  const steps = stepsOf(number, scale);
  return steps / (powers[scale] ?? 1) === number && (steps !== 0 || Object.is(number, 0));
};

const isEverySingle = (numbers: ArrayLike<number>): boolean => {
  for (let at = 0; at < numbers.length; at++) if (!Object.is(Math.fround(numbers[at] ?? 0), numbers[at])) return false;
  return true;
};

const widthOf = (range: number): number => {
  if (range === 0) return 0;
  if (range < 0x100) return 1;
  return range < 0x1_0000 ? 2 : 4;
};

/** Least and greatest of the numbers; undefined when one of them is not an integer, or -0. */
const integerRange = (numbers: ArrayLike<number>): [number, number] | undefined => {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] ?? 0;
    if (Math.floor(number) !== number || (number === 0 && 1 / number < 0)) return undefined;
    if (number < least) least = number;
    if (number > most) most = number;
  }
  return [least, most];
};

/** Least and greatest of the numbers, and the fewest decimals that all of them have; undefined when one of them has too many. */
const decimalRange = (numbers: ArrayLike<number>): [number, number, number] | undefined => {
  let [scale, least, most] = [1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] ?? 0;
    while (!isDecimal(number, scale)) if (++scale === powers.length) return undefined;
    if (number < least) least = number;
    if (number > most) most = number;
  }
  return [least, most, scale];
};

const formOf = (numbers: ArrayLike<number>): Form => {
  const [least, most, scale = 0] = integerRange(numbers) ?? decimalRange(numbers) ?? [];
  if (least === undefined || most === undefined)
    return { kind: isEverySingle(numbers) ? single : double, scale: 0, base: 0 };
  const [base, end] = [stepsOf(least, scale), stepsOf(most, scale)];
  const isNarrow = Math.max(Math.abs(base), Math.abs(end)) < largestSteps && end - base <= 0xffff_ffff;
  return isNarrow ? { kind: widthOf(end - base), scale, base } : { kind: double, scale: 0, base: 0 };
};

/** Most bytes of a column. */
export const columnLimit = (length: number): number => formSize + 8 * length;

/** Writes numbers as offsets of 1, 2 or 4 bytes from the base. */
const writeOffsets = (view: DataView, start: number, numbers: ArrayLike<number>, { kind, scale, base }: Form): void => {
  const power = powers[scale] ?? 1;
  for (let i = 0, at = start; i < numbers.length; i++, at += kind) {
    const number = numbers[i] ?? 0;
    const offset = (scale === 0 ? number : Math.round(number * power)) - base;
    if (kind === 1) view.setUint8(at, offset);
    else if (kind === 2) view.setUint16(at, offset, true);
    else view.setUint32(at, offset, true);
  }
};

/** Writes numbers at an offset of `view`; returns the offset behind them. `view` has room for `columnLimit` bytes. */
export const writeColumn = (view: DataView, start: number, numbers: ArrayLike<number>): number => {
  const length = numbers.length;
  const form = length === 0 ? { kind: 0, scale: 0, base: 0 } : formOf(numbers);
  const { kind } = form;
  view.setUint8(start, kind);
  view.setUint8(start + 1, form.scale);
  view.setFloat64(start + 2, form.base, true);
  const at = start + formSize;
  if (kind === single) for (let i = 0; i < length; i++) view.setFloat32(at + 4 * i, numbers[i] ?? 0, true);
  else if (kind === double) for (let i = 0; i < length; i++) view.setFloat64(at + 8 * i, numbers[i] ?? 0, true);
  else if (kind > 0) writeOffsets(view, at, numbers, form);
  return at + bytesOfKind(kind) * length;
};

/** A written column. */
export interface Column {
  /**
   * Reads numbers from the index `from` to the index `to` of `into`: `count`, by default as many as there is room for. Only typed arrays: with one more kind
   * each number takes three times as long.
   */
  read<T extends Float64Array | Int32Array | Uint8Array>(into: T, from?: number, to?: number, count?: number): T;
  /** Offset behind the column. */
  end: number;
}

/** The columns of a stored block. Times are the first of each channel, then the steps to the others, channel by channel. */
export interface BlockColumns {
  channels: number;
  readings: number;
  firsts: Column;
  steps: Column;
  values: Column;
  deviceIds: Column;
  channelIds: Column;
  counts: Column;
  statuses: Column;
  shown: Column;
}

/** The column of this many numbers at an offset. Throws a RangeError when it reaches beyond the bytes. */
export const columnAt = (view: DataView, start: number, length: number): Column => {
  const [kind, scale, base] = [view.getUint8(start), view.getUint8(start + 1), view.getFloat64(start + 2, true)];
  const divisor = powers[scale] ?? 1;
  const at = start + formSize;
  const width = bytesOfKind(kind);
  const end = at + width * length;
  if (end > view.byteLength) throw new RangeError("Stored readings are cut off");
  return {
    end,
    read: (into, from = 0, to = 0, count = into.length - to) => {
      const first = at + width * from;
      if (kind === 0) for (let i = 0; i < count; i++) into[to + i] = base / divisor;
      else if (kind === 1) for (let i = 0; i < count; i++) into[to + i] = (base + view.getUint8(first + i)) / divisor;
      else if (kind === 2)
        for (let i = 0; i < count; i++) into[to + i] = (base + view.getUint16(first + 2 * i, true)) / divisor;
      else if (kind === 4)
        for (let i = 0; i < count; i++) into[to + i] = (base + view.getUint32(first + 4 * i, true)) / divisor;
      else if (kind === single) for (let i = 0; i < count; i++) into[to + i] = view.getFloat32(first + 4 * i, true);
      else for (let i = 0; i < count; i++) into[to + i] = view.getFloat64(first + 8 * i, true);
      return into;
    },
  };
};
