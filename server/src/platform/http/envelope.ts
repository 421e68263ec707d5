import { Code, type Envelope, Message } from "@telltale/contract/call/codes";
import type { ApiError } from "./api-error.ts";

export const success = (result: unknown): Envelope => ({ code: Code.success, msg: "", result });

export const refused = ({ code, message }: ApiError): Envelope => ({ code, msg: message, result: null });

/** An internal error; its cause is only in the log. */
export const failed = (): Envelope => ({ code: Code.internal, msg: Message.serverBusy, result: null });
