/** Codes of the answer envelope. The HTTP status is 200 for all but `internal`, which is HTTP 500. (spec 1 §8, spec 2 §8) */
export const Code = {
  success: 0,
  /** A GET whose channels have no unit part; clients treat it as success. */
  noUnitPart: 110,
  notSignedIn: 401,
  notAllowed: 403,
  notFound: 404,
  conflict: 409,
  invalid: 422,
  /** The password is correct; a second-factor code is required. */
  codeNeeded: 428,
  tooManyTries: 429,
  internal: 500,
} as const;
export type Code = (typeof Code)[keyof typeof Code];

/** The answer of every call: `code` 0 with the result, or an error code with the sentence to show. */
export interface Envelope {
  code: Code;
  msg: string;
  result: unknown;
}

/** Sentences that both console and server use. */
export const Message = {
  serverBusy: "Server is busy",
  networkBusy: "Network is busy",
  loginAgain: "Login failed, please login again",
  notAllowed: "Your role does not allow this",
  codeNeeded: "Enter the code of your authenticator app",
  changedMeanwhile: "Another user has changed this in the meantime. Please review it and try again",
  readOnly: "This is a read-only support view",
  notFound: "This does not exist, or you have no access to it",
} as const;
