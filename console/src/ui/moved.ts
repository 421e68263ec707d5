/** The list with one item in another place; a place beyond the ends is the end. */
export const moved = <T>(list: readonly T[], from: number, to: number): T[] => {
  const place = Math.max(0, Math.min(list.length - 1, to));
  const others = list.toSpliced(from, 1);
  return others.toSpliced(place, 0, ...list.slice(from, from + 1));
};

/** Where a key moves a tile in a grid of so many columns; undefined for any other key. */
export const placeByKey = (key: string, place: number, { columns, count }: { columns: number; count: number }) => {
  const places: Readonly<Record<string, number>> = {
    ArrowLeft: place - 1,
    ArrowRight: place + 1,
    ArrowUp: place - columns,
    ArrowDown: place + columns,
    Home: 0,
    End: count - 1,
  };
  const to = places[key];
  return to === undefined ? undefined : Math.max(0, Math.min(count - 1, to));
};
