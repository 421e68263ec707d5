/** Minimum time between flashes of a tile, in milliseconds. */
const flashPause = 2000;

/** Channels of one tile that change within this time flash together, in milliseconds. */
const flashTogether = 150;

/** Decides whether one of a tile's channels may flash now; `moment` is monotonic milliseconds. */
export type FlashGate = (moment: number, channel: unknown) => boolean;

/** Creates the gate of one tile. */
export const createFlashGate = (): FlashGate => {
  let last = Number.NEGATIVE_INFINITY;
  let flashed = new Set<unknown>();
  return (moment, channel) => {
    const isTogether = moment - last <= flashTogether;
    if (isTogether ? flashed.has(channel) : moment - last < flashPause) return false;
    if (!isTogether) {
      last = moment;
      flashed = new Set();
    }
    flashed.add(channel);
    return true;
  };
};
