/** A message for the user of a command, printed as it is. */
export class OperatorError extends Error {}
