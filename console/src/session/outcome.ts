/** Result of a mailed link or a form, shown by the login page. */
export interface Outcome {
  isSuccess: boolean;
  sentence: string;
  /** The user's e-mail; filled into the login form. */
  email: string;
}

const key = "telltale-outcome";

/**
 * Goes to the login page by loading the document: the server redirects phones to their own site there, and not on the pages
 * that mailed links open. Going back does not reach the link again, which is single-use.
 */
export const leaveForLogin = (outcome: Outcome): void => {
  sessionStorage.setItem(key, JSON.stringify(outcome));
  location.replace("/login");
};

/** Returns the outcome that `leaveForLogin` stored, once. */
export const takeOutcome = (): Outcome | undefined => {
  const carried = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return carried === null ? undefined : (JSON.parse(carried) as Outcome);
};
