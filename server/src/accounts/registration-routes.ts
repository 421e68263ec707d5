import type { passwords } from "@telltale/contract/passwords";
import type { registration } from "@telltale/contract/registration";
import { createGuessLimit } from "../http/guess-limit.ts";
import type { Handlers } from "../http/mount.ts";
import type { World } from "../world.ts";
import { createJoin, invitation } from "./invitations.ts";
import type { MailLimits } from "./mail-limits.ts";
import { checkNewPassword } from "./password.ts";
import { confirmRegistration, register, resendConfirmation } from "./registration.ts";
import { askReset, resetPassword } from "./reset.ts";

type Needs = Pick<World, "db" | "bus" | "clock" | "publicUrl" | "closed">;

export const registrationRoutes = (world: Needs, limited: MailLimits): Handlers<typeof registration> => {
  const guessing = createGuessLimit(world.clock);
  const join = createJoin(world);
  return {
    register: async (asked, visitor) => {
      // Before the mails are counted: nothing is mailed for it.
      await checkNewPassword(asked.password);
      await limited(asked.email, visitor, () => guessing(visitor, () => register(world, asked)));
      return null;
    },
    resend: async ({ email }, visitor) => {
      await limited(email, visitor, () => resendConfirmation(world, email));
      return null;
    },
    confirm: async (link) => {
      await confirmRegistration(world, link);
      return null;
    },
    invitation: (link) => invitation(world, link),
    join: async (asked) => {
      await join(asked);
      return null;
    },
  };
};

export const passwordRoutes = (world: Needs, limited: MailLimits): Handlers<typeof passwords> => ({
  askReset: async ({ email }, visitor) => {
    await limited(email, visitor, () => askReset(world, email));
    return null;
  },
  reset: async (asked) => {
    await resetPassword(world, asked);
    return null;
  },
});
