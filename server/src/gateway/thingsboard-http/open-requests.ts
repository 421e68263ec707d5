/** Counts what is being answered at once, by device, and lets no more begin than `most`. */
export const createOpenRequests = (most: number) => {
  const open = new Map<number, number>();
  return {
    /** Begins one; gives what ends it, once, or undefined when too many are open. */
    begin: (deviceId: number): (() => void) | undefined => {
      const count = open.get(deviceId) ?? 0;
      if (count >= most) return undefined;
      open.set(deviceId, count + 1);
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        const left = (open.get(deviceId) ?? 1) - 1;
        if (left > 0) open.set(deviceId, left);
        else open.delete(deviceId);
      };
    },
  };
};
