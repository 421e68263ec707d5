import type { passwords, registration } from "@telltale/contract/domains/people/registration";
import type { Handlers } from "../../../platform/http/mount.ts";
import { createGuessLimit } from "../../../platform/limits/guess-limit.ts";
import type { World } from "../../../world.ts";
import { createJoin, invitation } from "../invitations/invitations.ts";
import type { MailLimits } from "../mail/limits.ts";
import { checkNewPassword } from "../passwords/password.ts";
import { checkPasswordOf } from "../passwords/policy.ts";
import { askReset, resetPassword } from "../passwords/reset.ts";
import { confirmRegistration, register, resendConfirmation } from "./registration.ts";

type Needs = Pick<World, "db" | "pool" | "bus" | "clock" | "node" | "publicUrl" | "closed" | "passwords">;

export const registrationRoutes = (world: Needs, limited: MailLimits): Handlers<typeof registration> => {
  const guessing = createGuessLimit(world, "registrations");
  const join = createJoin(world);
  return {
    register: async (input, visitor) => {
      await checkPasswordOf(world, input.email);
      // Checked before the mail limit is counted, as no mail is sent for it.
      await checkNewPassword(input.password);
      await limited(input.email, visitor, () => guessing(visitor, () => register(world, input)));
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
    join: async (input) => {
      await join(input);
      return null;
    },
  };
};

export const passwordRoutes = (world: Needs, limited: MailLimits): Handlers<typeof passwords> => ({
  askReset: async ({ email }, visitor) => {
    await checkPasswordOf(world, email);
    await limited(email, visitor, () => askReset(world, email));
    return null;
  },
  reset: async (input) => {
    await resetPassword(world, input);
    return null;
  },
});
