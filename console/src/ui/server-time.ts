/** A difference of the clocks from which it is one, in milliseconds: smaller ones are those of slow answers. */
const least = 5_000;
const second = 1000;

let ahead = 0;

/**
 * Notes by how much the server's clock is ahead of the browser's, from the `Date` of an answer, which is cut to the second; `asked` and `answered` are
 * times of the browser. Of an answer that took so long that it proves nothing, none is assumed.
 */
export const noteServerTime = (date: string | null, asked: number, answered: number): void => {
  const told = Date.parse(date ?? "");
  if (Number.isNaN(told)) return;
  const [low, high] = [told - answered, told + second - asked];
  ahead = low > least || high < -least ? (low + high) / 2 : 0;
};

/** A time of the browser's clock by the server's, epoch milliseconds. */
export const serverTimeAt = (time: number): number => time + ahead;

/** Now by the server's clock, by which everything is recorded; the browser's may be wrong. */
export const serverNow = (): number => serverTimeAt(Date.now());
