/** A tile flashes at most once in this time, in milliseconds. */
const flashPause = 2000;

/** Channels of one tile that change within this time flash together. */
const flashTogether = 150;

/** Decides whether a tile may flash now; `moment` is monotonic milliseconds. */
export type FlashGate = (moment: number) => boolean;

/** The gate of one tile. */
export const createFlashGate = (): FlashGate => {
  let last = Number.NEGATIVE_INFINITY;
  return (moment) => {
    if (moment - last <= flashTogether) return true;
    if (moment - last < flashPause) return false;
    last = moment;
    return true;
  };
};
