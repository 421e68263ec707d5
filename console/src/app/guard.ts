import type { UserInfo } from "@telltale/contract/accounts";
import type { Permission } from "@telltale/contract/permissions";
import { landingOf } from "../session/landing.ts";
import { allows } from "../session/session.ts";

/** Where a user is sent instead of a page that the role does not open; undefined when it does. */
export const detour = (user: UserInfo, needs: Permission): string | undefined =>
  allows(user, needs) ? undefined : landingOf(user);
