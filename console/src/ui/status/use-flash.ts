import { createContext, type RefObject, useContext, useEffect, useRef } from "react";
import { createFlashGate, type FlashGate } from "./flash-gate.ts";

/** The gate of the surrounding tile, so that its channels flash together and no more often than one. */
export const FlashGateContext = createContext<FlashGate>(createFlashGate());

/**
 * Flashes the element when the shown text changes, unless the tile has just flashed. The two animations of `data-flash` are identical; switching
 * between them restarts the animation without a new element.
 */
export const useFlash = <T extends HTMLElement>(text: string): RefObject<T | null> => {
  const element = useRef<T>(null);
  const shown = useRef(text);
  const mayFlash = useContext(FlashGateContext);
  useEffect(() => {
    if (shown.current === text) return;
    shown.current = text;
    const { current } = element;
    if (current && mayFlash(performance.now(), element))
      current.dataset.flash = current.dataset.flash === "a" ? "b" : "a";
  }, [text, mayFlash]);
  return element;
};
