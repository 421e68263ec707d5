/** Codes of the answer envelope. HTTP stays 200 for all but `internal`, which is HTTP 500. (spec 1 §8, spec 2 §8) */
export const Code = {
  success: 0,
  /** A GET whose channels have no unit part; counts as success. */
  noUnitPart: 110,
  notSignedIn: 401,
  notAllowed: 403,
  notFound: 404,
  conflict: 409,
  invalid: 422,
  /** The password was right and the second factor is asked for. */
  codeNeeded: 428,
  tooManyTries: 429,
  internal: 500,
} as const;
export type Code = (typeof Code)[keyof typeof Code];

/** What every call answers: `code` 0 and the result, or another code and the sentence to show. */
export interface Envelope {
  code: Code;
  msg: string;
  result: unknown;
}

/** Sentences that both sides know. */
export const Message = {
  serverBusy: "Server is busy",
  networkBusy: "Network is busy",
  loginAgain: "Login failed, please login again",
  notAllowed: "Your role does not allow this",
  codeNeeded: "Enter the code of your authenticator app",
  changedMeanwhile: "Somebody else has changed this meanwhile. Please look at it again",
  readOnly: "This is a read-only support view",
  notFound: "This does not exist, or is not yours to see",
} as const;
