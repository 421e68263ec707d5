/** A complaint to whoever typed the command; printed as it is. */
export class ValidationError extends Error {}
