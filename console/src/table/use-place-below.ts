import { type RefObject, useLayoutEffect } from "react";

/** Room between the two, and to the edges of the screen, in pixels. */
const gap = 4;
const margin = 8;

/** Keeps an open popover below its button, or above it where there is more room, and inside of the screen. */
export const usePlaceBelow = (
  popover: RefObject<HTMLElement | null>,
  button: RefObject<HTMLElement | null>,
  isOpen: boolean,
): void => {
  useLayoutEffect(() => {
    const [above, below] = [popover.current, button.current];
    if (!isOpen || !above || !below) return;
    const place = () => {
      const at = below.getBoundingClientRect();
      const { width, height } = above.getBoundingClientRect();
      const isRoomy = at.bottom + gap + height <= window.innerHeight || at.top < height;
      const left = Math.max(margin, Math.min(at.left - margin, window.innerWidth - width - margin));
      above.style.left = `${left}px`;
      above.style.top = `${isRoomy ? at.bottom + gap : at.top - gap - height}px`;
    };
    place();
    const observer = new ResizeObserver(place);
    observer.observe(above);
    addEventListener("scroll", place, { capture: true, passive: true });
    addEventListener("resize", place);
    return () => {
      observer.disconnect();
      removeEventListener("scroll", place, { capture: true });
      removeEventListener("resize", place);
    };
  }, [popover, button, isOpen]);
};
