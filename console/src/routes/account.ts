import { loadWithRetry } from "../ui/load-with-retry.ts";
import { lazyScreen } from "../ui/router/screen.tsx";
import type { Page } from "./page.ts";

const screens = () => loadWithRetry(() => import("./screens/account-screens.tsx"));
type Screen = keyof Awaited<ReturnType<typeof screens>>;

/** A page of the user's own account. A support view may open all of them. */
const memberPage = (path: string, title: string, screen: Screen, needs: Page["needs"] = "session"): Page => ({
  path,
  title,
  needs,
  menuKind: "member",
  screen: lazyScreen(screens, screen),
});

/** The account screens, in the order of their menu. (spec 1 §2) */
export const memberPages: readonly Page[] = [
  memberPage("/profilePhoto", "Profile photo", "PhotoForm"),
  memberPage("/company", "Company", "CompanyForm"),
  memberPage("/industry", "Industry", "IndustryForm"),
  memberPage("/name", "Name", "NameForm"),
  memberPage("/alias", "Alias", "AliasForm"),
  memberPage("/cellNumber", "Mobile number", "CellNumberForm"),
  memberPage("/quietHours", "Push and quiet hours", "QuietHoursScreen"),
  memberPage("/changePassword", "Change password", "PasswordForm"),
  memberPage("/secondFactor", "Two-step sign-in", "SecondFactor"),
  memberPage("/signIns", "Sessions", "SignIns"),
  memberPage("/apiKeys", "API keys", "ApiKeys", "keys.read"),
  memberPage("/associatedAccount", "Linked Accounts", "AssociatedAccountScreen"),
];
