import { Code, type Envelope, Message } from "@telltale/contract/codes";
import type { Refusal } from "./refusal.ts";

export const success = (result: unknown): Envelope => ({ code: Code.success, msg: "", result });

export const refused = ({ code, message }: Refusal): Envelope => ({ code, msg: message, result: null });

/** The user learns that it is not the user's fault; the cause is in the log only. */
export const failed = (): Envelope => ({ code: Code.internal, msg: Message.serverBusy, result: null });
