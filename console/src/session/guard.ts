import type { UserInfo } from "@telltale/contract/domains/people/accounts";
import { startPageOf } from "./landing.ts";
import { allows, type Needs } from "./session.ts";

/** Where to redirect a user whose role does not open the page; undefined when it does. */
export const redirectFor = (user: UserInfo, needs: Needs): string | undefined =>
  allows(user, needs) ? undefined : startPageOf(user);

/** Whether the user still has to fill in the onboarding form. A support view never does. (spec 2 §4) */
export const needsOnboarding = ({ hasInfo, isAdmin }: UserInfo): boolean => !hasInfo && !isAdmin;
