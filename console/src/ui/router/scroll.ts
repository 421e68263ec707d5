import type { Location } from "./address.ts";

const storage = "telltale-scroll";

type Place = readonly [x: number, y: number];

const stored = (): Record<string, Place> => {
  try {
    return JSON.parse(sessionStorage.getItem(storage) ?? "{}");
  } catch {
    return {};
  }
};

/** Where each entry of the browser's history was scrolled to. */
const places = stored();

/** Notes how far the page is scrolled, before another takes its place. */
export const noteScroll = ({ key }: Location): void => {
  places[key] = [scrollX, scrollY];
};

const idIn = (hash: string): string => {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return "";
  }
};

/** The element that the fragment of an address names; null when there is none. */
export const elementOf = (hash: string): HTMLElement | null => (hash ? document.getElementById(idIn(hash)) : null);

/** Scrolls a page that has just been shown: to where it was left, to the element of its fragment, or to the top. */
export const restoreScroll = ({ key, hash }: Location): void => {
  const [x, y] = places[key] ?? [];
  const element = y === undefined ? elementOf(hash) : null;
  if (element) element.scrollIntoView();
  else scrollTo(x ?? 0, y ?? 0);
};

/** Keeps the places over a reload. The browser's own restoring would come before the rows are there. */
export const keepScroll = (shown: () => Location | undefined): void => {
  history.scrollRestoration = "manual";
  addEventListener("pagehide", () => {
    history.scrollRestoration = "auto";
    const location = shown();
    if (location) noteScroll(location);
    sessionStorage.setItem(storage, JSON.stringify(places));
  });
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) history.scrollRestoration = "manual";
  });
};
