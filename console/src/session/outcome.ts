/** What became of a mailed link or a form, for the login page to say. */
export interface Outcome {
  isSuccess: boolean;
  sentence: string;
  /** Whose; filled into the login form. */
  email: string;
}

const key = "telltale-outcome";

/**
 * Goes to the login page by loading the document: the server sends phones to their own site there, and not on the pages
 * that mailed links open. Going back does not lead to the link again, which works once.
 */
export const leaveForLogin = (outcome: Outcome): void => {
  sessionStorage.setItem(key, JSON.stringify(outcome));
  location.replace("/login");
};

/** What `leaveForLogin` carried along; once. */
export const takeOutcome = (): Outcome | undefined => {
  const carried = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return carried === null ? undefined : (JSON.parse(carried) as Outcome);
};
