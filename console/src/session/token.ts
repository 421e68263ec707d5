const key = "telltale-token";

/** The token of the session in this browser, if there is one. */
export const readToken = (): string | undefined => localStorage.getItem(key) ?? undefined;

export const storeToken = (token: string): void => localStorage.setItem(key, token);

export const clearToken = (): void => localStorage.removeItem(key);

/** Calls back when another tab signs in, signs out or changes the account. Returns how to stop. */
export const onTokenOfOtherTab = (callback: () => void): (() => void) => {
  const listener = (event: StorageEvent) => {
    if (event.key === key && event.newValue !== event.oldValue) callback();
  };
  addEventListener("storage", listener);
  return () => removeEventListener("storage", listener);
};
