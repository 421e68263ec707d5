const key = "telltale-token";

/** The session token stored in this browser, if any. */
export const readToken = (): string | undefined => localStorage.getItem(key) ?? undefined;

export const storeToken = (token: string): void => localStorage.setItem(key, token);

export const clearToken = (): void => localStorage.removeItem(key);

/** Notifies when another tab signs in, signs out or switches accounts. Returns the unsubscribe function. */
export const onTokenOfOtherTab = (callback: () => void): (() => void) => {
  const listener = (event: StorageEvent) => {
    if (event.key === key && event.newValue !== event.oldValue) callback();
  };
  addEventListener("storage", listener);
  return () => removeEventListener("storage", listener);
};
