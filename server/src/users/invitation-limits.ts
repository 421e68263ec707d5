import type { Clock } from "../clock.ts";
import { createTries } from "../http/tries.ts";

/** Invitations within the window in milliseconds: to one address, whoever asks, and of one plant. */
const limits = { email: { most: 5, window: 600_000 }, plant: { most: 100, window: 3_600_000 } };

/** Does what mails an invitation, unless its recipient or its plant has had too many of them. */
export type InvitationLimits = <T>(plantId: number, email: string, work: () => Promise<T>) => Promise<T>;

/** Nobody's mailbox is filled by invitations, and no plant mails the world. */
export const createInvitationLimits = (clock: Clock): InvitationLimits => {
  const byEmail = createTries(clock, limits.email);
  const byPlant = createTries(clock, limits.plant);
  return async (plantId, email, work) => {
    const keys = [
      [byEmail, email.toLowerCase()],
      [byPlant, String(plantId)],
    ] as const;
    for (const [tries, key] of keys) tries.check(key);
    for (const [tries, key] of keys) tries.failed(key);
    try {
      return await work();
    } catch (fault) {
      // Nothing was mailed.
      for (const [tries, key] of keys) tries.pardon(key);
      throw fault;
    }
  };
};
