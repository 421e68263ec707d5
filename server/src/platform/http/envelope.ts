import { Code, type Envelope, Message } from "@telltale/contract/call/codes";
import type { ApiError } from "./api-error.ts";

export const success = (result: unknown): Envelope => ({ code: Code.success, msg: "", result });

export const refused = ({ code, message }: ApiError): Envelope => ({ code, msg: message, result: null });

/** The user learns that it is not the user's fault; the cause is in the log only. */
export const failed = (): Envelope => ({ code: Code.internal, msg: Message.serverBusy, result: null });
