import { setTimeout as wait } from "node:timers/promises";
import type { Visitor } from "../../../platform/http/caller.ts";
import { type AttemptNeeds, countAll } from "../../../platform/limits/attempts.ts";
import { createAttempts } from "../../../platform/limits/create-attempts.ts";
import { createNetworkTries } from "../../../platform/limits/network.ts";

/** Most calls that send mail, per window in milliseconds: by the requester's network, and by recipient. */
const limits = { address: { most: 30, window: 600_000 }, email: { most: 5, window: 600_000 } };

/** Least response time, milliseconds, so that timing does not reveal whether a mail was sent. */
const evenly = 150;

/** Runs work that sends a mail, within the limits of visitor and recipient. */
export type MailLimits = <T>(email: string, visitor: Visitor, work: () => Promise<T>) => Promise<T>;

/** Creates limits for calls that send mail to an address named by a visitor, registered or not. (decisions §5) */
export const createMailLimits = (world: AttemptNeeds): MailLimits => {
  const byAddress = createNetworkTries(world, "mails", limits.address);
  const byEmail = createAttempts(world, "mails by recipient", limits.email);
  return async <T>(email: string, visitor: Visitor, work: () => Promise<T>): Promise<T> => {
    await countAll([
      [byAddress, visitor.address],
      [byEmail, email.toLowerCase()],
    ]);
    const [result] = await Promise.all([work(), wait(evenly)]);
    return result;
  };
};
