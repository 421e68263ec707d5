import { inform } from "./messages.ts";

const key = "telltale-notice";

/** Shows a success message when the next page has been loaded in this tab. */
export const informAfterLoad = (sentence: string): void => sessionStorage.setItem(key, sentence);

const take = (): string | null => {
  try {
    const sentence = sessionStorage.getItem(key);
    sessionStorage.removeItem(key);
    return sentence;
  } catch {
    // Storage may be blocked; the login says so.
    return null;
  }
};

/** Shows the message that `informAfterLoad` left, once. */
export const informCarried = (): void => {
  const sentence = take();
  if (sentence !== null) inform(sentence);
};
