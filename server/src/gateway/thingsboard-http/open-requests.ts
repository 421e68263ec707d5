/** Creates a limit of `most` concurrent requests per device. */
export const createOpenRequests = (most: number) => {
  const open = new Map<number, number>();
  return {
    /** Starts a request; returns the function that ends it (idempotent), or undefined at the limit. */
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
