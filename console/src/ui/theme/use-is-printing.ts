import { useSyncExternalStore } from "react";

let isPrinting = false;

/** Whether the page is being printed: then nothing on it scrolls, and its parts are not measured anew. */
export const useIsPrinting = (): boolean =>
  useSyncExternalStore(
    (wake) => {
      const gone = new AbortController();
      for (const [name, is] of [
        ["beforeprint", true],
        ["afterprint", false],
      ] as const)
        addEventListener(
          name,
          () => {
            isPrinting = is;
            wake();
          },
          { signal: gone.signal },
        );
      return () => gone.abort();
    },
    () => isPrinting,
  );
