/** The first place of a list at which this is so, the list's length where it is nowhere; from there on it must be so at every place. */
export const firstWhere = <T>(list: readonly T[], isSo: (each: T) => boolean): number => {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isSo(list[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
};
