const key = "telltale-token";

/** The session token stored in this browser, if any. */
export const readToken = (): string | undefined => localStorage.getItem(key) ?? undefined;

let hasExpired = false;

/** Whether the server has ended the session that this page had, and no other has begun: what needs one leads to the login. */
export const isExpired = (): boolean => hasExpired;

export const storeToken = (token: string): void => {
  hasExpired = false;
  localStorage.setItem(key, token);
};

export const clearToken = (): void => localStorage.removeItem(key);

/** Removes the token of a session that the server has ended. */
export const expireToken = (): void => {
  hasExpired = true;
  clearToken();
};

/** Notifies when another tab signs in, signs out or switches accounts. Returns the unsubscribe function. */
export const onTokenOfOtherTab = (callback: () => void): (() => void) => {
  const listener = (event: StorageEvent) => {
    if (event.key === key && event.newValue !== event.oldValue) callback();
  };
  addEventListener("storage", listener);
  return () => removeEventListener("storage", listener);
};
