import { Code, Message } from "@telltale/contract/call/codes";
import { counted } from "@telltale/contract/text/counted";

/** A call that is answered with a code other than success. The message is shown to the user and says what to do. */
export class ApiError extends Error {
  readonly code: Code;
  constructor(code: Code, message: string) {
    super(message);
    this.name = "ApiError";
    this.code = code;
  }
}

/** The token is missing, unknown or used up. */
export const notSignedIn = (): ApiError => new ApiError(Code.notSignedIn, Message.loginAgain);

export const notAllowed = (message: string = Message.notAllowed): ApiError => new ApiError(Code.notAllowed, message);

/** Does not exist, or belongs to another plant: the answer is the same, so that nobody learns which ids are in use. */
export const notFound = (message: string = Message.notFound): ApiError => new ApiError(Code.notFound, message);

export const conflict = (message: string): ApiError => new ApiError(Code.conflict, message);

export const invalid = (message: string): ApiError => new ApiError(Code.invalid, message);

/** `wait` in milliseconds until the next try counts. */
export const tooManyTries = (wait: number): ApiError => {
  const minutes = Math.ceil(wait / 60_000);
  return new ApiError(
    Code.tooManyTries,
    `Too many tries. Please try again in ${minutes === 1 ? "a minute" : counted(minutes, "minute")}`,
  );
};

/** Counts as success with an empty result: none of the channels asked for has a unit part. (spec 1 §8) */
export const noUnitPart = (): ApiError => new ApiError(Code.noUnitPart, "");
