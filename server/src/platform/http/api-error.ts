import { Code, Message } from "@telltale/contract/call/codes";
import { counted } from "@telltale/contract/text/counted";

/** An error answered with its code. The message is shown to the user and says what to do. */
export class ApiError extends Error {
  readonly code: Code;
  constructor(code: Code, message: string) {
    super(message);
    this.name = "ApiError";
    this.code = code;
  }
}

/** The token is missing, unknown or expired. */
export const notSignedIn = (message: string = Message.loginAgain): ApiError => new ApiError(Code.notSignedIn, message);

/** 403: the caller lacks the permission. */
export const notAllowed = (message: string = Message.notAllowed): ApiError => new ApiError(Code.notAllowed, message);

/** Does not exist or belongs to another plant; the same answer for both, so that it reveals no ids in use. */
export const notFound = (message: string = Message.notFound): ApiError => new ApiError(Code.notFound, message);

/** 409: the current state does not allow it, or has changed meanwhile. */
export const conflict = (message: string): ApiError => new ApiError(Code.conflict, message);

/** 422: the input is invalid. */
export const invalid = (message: string): ApiError => new ApiError(Code.invalid, message);

/** `wait`: milliseconds until the next try is allowed. */
export const tooManyTries = (wait: number): ApiError => {
  const minutes = Math.ceil(wait / 60_000);
  return new ApiError(
    Code.tooManyTries,
    `Too many tries. Please try again in ${minutes === 1 ? "a minute" : counted(minutes, "minute")}`,
  );
};

/** Counts as success with an empty result: none of the requested channels has a unit part. (spec 1 §8) */
export const noUnitPart = (): ApiError => new ApiError(Code.noUnitPart, "");
