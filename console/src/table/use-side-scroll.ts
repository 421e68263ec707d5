import { type RefObject, type UIEvent, useEffect, useRef, useState } from "react";

/** Head and body of a table scroll sideways together, though each in its own box: the head must stand on the page. */
export const useSideScroll = (body: RefObject<HTMLElement | null>) => {
  const head = useRef<HTMLTableSectionElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const element = body.current;
    if (!element) return;
    // Without rows the head alone is wider than its box.
    const isWide = (box: HTMLElement | null) => box !== null && box.scrollWidth > box.clientWidth;
    const observer = new ResizeObserver(() => setScrolls(isWide(element) || isWide(head.current)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [body]);
  const onScroll = (event: UIEvent<HTMLElement>) => {
    const { scrollLeft } = event.currentTarget;
    for (const each of [head.current, body.current]) {
      if (each && each.scrollLeft !== scrollLeft) each.scrollLeft = scrollLeft;
    }
  };
  return { head, scrolls, onScroll };
};
