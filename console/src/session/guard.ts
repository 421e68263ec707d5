import type { UserInfo } from "@telltale/contract/domains/people/accounts";
import { landingOf } from "./landing.ts";
import { allows, type Needs } from "./session.ts";

/** Where a user is sent instead of a page that the role does not open; undefined when it does. */
export const detour = (user: UserInfo, needs: Needs): string | undefined =>
  allows(user, needs) ? undefined : landingOf(user);

/** Whether a user has still to say who they are. A support view looks and answers nothing. (spec 2 §4) */
export const isStranger = ({ hasInfo, isAdmin }: UserInfo): boolean => !hasInfo && !isAdmin;
