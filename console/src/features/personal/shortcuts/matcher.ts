import { keyName } from "@telltale/contract/domains/people/personal";

/** Time between two keys of a shortcut, in milliseconds; after it the first is forgotten. */
export const patience = 1_500;

interface Keys {
  /** As `keyName` names them, joined by spaces. */
  keys: string;
}

/** Follows what is pressed, key after key. */
export interface Matcher<T extends Keys> {
  /** Takes a key pressed at `now` (milliseconds); gives the shortcut that it completes. `isPart` says that more keys may follow. */
  press: (key: string, now: number, shortcuts: readonly T[]) => { found?: T; isPart: boolean };
}

/** Keys that only help to give another its character. */
const helpers: ReadonlySet<string> = new Set(["Shift", "AltGraph", "CapsLock"]);

export const createMatcher = <T extends Keys>(): Matcher<T> => {
  let pressed: readonly string[] = [];
  let last = Number.NEGATIVE_INFINITY;
  const follow = (keys: readonly string[], shortcuts: readonly T[]) => {
    const text = keys.join(" ");
    const found = shortcuts.find((shortcut) => shortcut.keys === text);
    const isPart = !found && shortcuts.some((shortcut) => shortcut.keys.startsWith(`${text} `));
    pressed = isPart ? keys : [];
    return found ? { found, isPart } : { isPart };
  };
  return {
    press: (key, now, shortcuts) => {
      if (helpers.has(key)) return { isPart: pressed.length > 0 };
      const name = keyName(key);
      const before = now - last <= patience ? pressed : [];
      last = now;
      if (name === undefined) {
        pressed = [];
        return { isPart: false };
      }
      const result = follow([...before, name], shortcuts);
      // A key that leads nowhere after another may begin something itself.
      return result.found || result.isPart || before.length === 0 ? result : follow([name], shortcuts);
    },
  };
};
