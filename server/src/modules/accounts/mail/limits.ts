import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../../../platform/clock.ts";
import type { Visitor } from "../../../platform/http/caller.ts";
import { createAttempts } from "../../../platform/limits/attempts.ts";
import { createNetworkTries } from "../../../platform/limits/network.ts";

/** Calls that send mail, within the window in milliseconds: by who asks, and by who would get it. */
const limits = { address: { most: 30, window: 600_000 }, email: { most: 5, window: 600_000 } };

/** The answer takes at least this long, in milliseconds, so that its time does not tell whether there was a mail to write. */
const evenly = 150;

/** Does what sends a mail, unless this visitor or this address has had too many of them. */
export type MailLimits = <T>(email: string, visitor: Visitor, work: () => Promise<T>) => Promise<T>;

/** Limits calls that send mail to whatever address a visitor names, registered or not. (decisions §5) */
export const createMailLimits = (clock: Clock): MailLimits => {
  const byAddress = createNetworkTries(clock, limits.address);
  const byEmail = createAttempts(clock, limits.email);
  return async <T>(email: string, visitor: Visitor, work: () => Promise<T>): Promise<T> => {
    const key = email.toLowerCase();
    byAddress.check(visitor.address);
    byEmail.check(key);
    byAddress.failed(visitor.address);
    byEmail.failed(key);
    const [result] = await Promise.all([work(), wait(evenly)]);
    return result;
  };
};
