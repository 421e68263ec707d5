import { useSyncExternalStore } from "react";

/** What the user has chosen; `auto` follows the system. */
export type ColorScheme = "light" | "dark" | "auto";

/** `public/first.js` reads the same key before the first paint. */
const key = "telltale-theme";

const stored = (): ColorScheme => {
  const scheme = localStorage.getItem(key);
  return scheme === "light" || scheme === "dark" ? scheme : "auto";
};

let chosen = stored();
const listeners = new Set<() => void>();
const system = matchMedia("(prefers-color-scheme: dark)");

/** What is on screen. */
const shownScheme = (): "light" | "dark" => {
  if (chosen !== "auto") return chosen;
  return system.matches ? "dark" : "light";
};

const show = (): void => document.documentElement.setAttribute("data-mantine-color-scheme", shownScheme());

const choose = (scheme: ColorScheme): void => {
  chosen = scheme;
  show();
  for (const listener of listeners) listener();
};

system.addEventListener("change", show);
addEventListener("storage", (event) => {
  if (event.key === key) choose(stored());
});

/** Shows a theme and remembers it in this browser. */
export const setColorScheme = (scheme: ColorScheme): void => {
  localStorage.setItem(key, scheme);
  choose(scheme);
};

/** From light to dark and back. */
export const toggleColorScheme = (): void => setColorScheme(shownScheme() === "light" ? "dark" : "light");

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** The theme that the user has chosen. */
export const useColorScheme = (): ColorScheme => useSyncExternalStore(subscribe, () => chosen);
