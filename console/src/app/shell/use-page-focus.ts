import { useLocation } from "@tanstack/react-router";
import { type RefObject, useEffect, useRef } from "react";

/** Moves the focus to the page when another one is opened, so that keyboard and screen reader start there. */
export const usePageFocus = (): RefObject<HTMLElement | null> => {
  const main = useRef<HTMLElement>(null);
  const path = useLocation({ select: ({ pathname }) => pathname });
  const focused = useRef(path);
  useEffect(() => {
    if (focused.current === path) return;
    focused.current = path;
    main.current?.focus({ preventScroll: true });
  }, [path]);
  return main;
};
