import { UserStatus, userStatusLabels } from "@telltale/contract/domains/people/users";
import type { StatusLook } from "../../ui/status/status-label.tsx";

/** How it is shown whether a user may sign in. */
export const userStatusLook = (activate: number): StatusLook =>
  activate === UserStatus.active
    ? { label: userStatusLabels[UserStatus.active], glyph: "disc", tone: "plain" }
    : { label: userStatusLabels[UserStatus.inactive], glyph: "ring-dashed", tone: "inactive" };

/** The legend of both user lists. */
export const userMeanings = [
  [userStatusLook(UserStatus.active), "can sign in"],
  [userStatusLook(UserStatus.inactive), "has not answered the invitation"],
] as const;
