import { keyName } from "@telltale/contract/domains/people/personal";

/** Maximum time between two keys of a shortcut, in milliseconds; then the sequence is reset. */
export const sequenceTimeout = 1_500;

interface Keys {
  /** As `keyName` names them, joined by spaces. */
  keys: string;
}

/** Matches key sequences, key after key. */
export interface Matcher<T extends Keys> {
  /** Handles a key pressed at `now` (milliseconds); returns the completed shortcut. `isPart` means that more keys may follow. */
  press: (key: string, now: number, shortcuts: readonly T[]) => { found?: T; isPart: boolean };
}

/** Modifier keys that only contribute to another key's character. */
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
      const before = now - last <= sequenceTimeout ? pressed : [];
      last = now;
      if (name === undefined) {
        pressed = [];
        return { isPart: false };
      }
      const result = follow([...before, name], shortcuts);
      // A key that does not continue the sequence may start a new one.
      return result.found || result.isPart || before.length === 0 ? result : follow([name], shortcuts);
    },
  };
};
