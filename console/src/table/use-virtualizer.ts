import type { Virtualizer, VirtualizerOptions } from "@tanstack/virtual-core";
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { loadPlain } from "../ui/load-with-retry.ts";
import { useIsPrinting } from "../ui/theme/use-is-printing.ts";

/** Up to this many rows a list is shown as a whole: its first page, for which the code of longer ones need not be loaded. */
const few = 30;

type Core = typeof import("@tanstack/virtual-core");
export type WindowVirtualizer = Virtualizer<Window, HTMLElement>;
type Options = VirtualizerOptions<Window, HTMLElement>;
type Wanted = Pick<Options, "count" | "estimateSize" | "scrollMargin" | "overscan"> &
  Required<Pick<Options, "getItemKey">>;

let core: Core | undefined;

/** Loads what lists of more than a page need. */
export const loadVirtualizer = async (): Promise<void> => {
  core ??= await loadPlain(() => import("@tanstack/virtual-core"));
};

/** React's side of the virtualizer, as in `@tanstack/react-virtual`, which cannot be loaded later. */
interface Held {
  virtualizer: WindowVirtualizer;
  complete: (wanted: Wanted) => Options;
}

const hold = (library: Core, wanted: Wanted, rerender: () => void): Held => {
  let isMeasuring = false;
  const complete = (given: Wanted): Options => ({
    ...given,
    getScrollElement: () => window,
    observeElementRect: library.observeWindowRect,
    observeElementOffset: library.observeWindowOffset,
    scrollToFn: library.windowScroll,
    initialOffset: () => window.scrollY,
    // Without it there would be no row in the first render, and the focus would be lost with the row that has it.
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    // While React measures, its rendering can't be forced.
    onChange: (_, isSync) => (isSync && !isMeasuring ? flushSync(rerender) : rerender()),
  });
  const virtualizer: WindowVirtualizer = new library.Virtualizer(complete(wanted));
  const { measureElement } = virtualizer;
  virtualizer.measureElement = (row) => {
    isMeasuring = true;
    try {
      measureElement(row);
    } finally {
      isMeasuring = false;
    }
  };
  return { virtualizer, complete };
};

/** The virtualizer of a list that scrolls with the page; undefined for a short list, and while its code is being loaded. */
export const useVirtualizer = (wanted: Wanted): WindowVirtualizer | undefined => {
  const [, rerender] = useReducer((renders: number) => renders + 1, 0);
  const isLong = wanted.count > few;
  const [isLoaded, setLoaded] = useState(core !== undefined);
  const held = useRef<Held>(undefined);
  useEffect(() => {
    if (isLong && !isLoaded) void loadVirtualizer().then(() => setLoaded(true));
  }, [isLong, isLoaded]);
  // What is out of sight is printed, too.
  const isWhole = useIsPrinting();
  if (isLong && core) held.current ??= hold(core, wanted, rerender);
  const { virtualizer, complete } = held.current ?? {};
  if (complete) virtualizer?.setOptions(complete(wanted));
  useLayoutEffect(() => virtualizer?._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer?._willUpdate());
  return isWhole ? undefined : virtualizer;
};
