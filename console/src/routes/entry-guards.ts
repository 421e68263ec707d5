import type { QueryClient } from "@tanstack/react-query";
import { addDevicePath } from "@telltale/contract/domains/fleet/add-device-link";
import type { UserInfo } from "@telltale/contract/domains/people/accounts";
import { needsOnboarding } from "../session/guard.ts";
import { takeOutcome } from "../session/outcome.ts";
import { userQuery } from "../session/session.ts";
import { isExpired, readToken } from "../session/token.ts";
import { redirect, type Visit } from "../ui/router/router.ts";

/** What guards decide by, beside the address. */
export interface Context {
  queries: QueryClient;
}

type Guarded = Visit<Context>;

/**
 * Returns the signed-in user; redirects at once when there is no token: to the public page, or to the login when the session has ended meanwhile or a
 * label was scanned.
 */
export const requireUser = ({ context, location }: Guarded): Promise<UserInfo> => {
  if (readToken() === undefined) {
    throw redirect({
      to: isExpired() || location.pathname === addDevicePath ? "/login" : "/index",
      state: { from: location.href },
    });
  }
  return context.queries.ensureQueryData(userQuery);
};

/** Admits users to the pages with the menu, when they have completed onboarding. */
export const requireOnboarded = (visit: Guarded): Promise<UserInfo> =>
  requireUser(visit).then((user) => {
    if (needsOnboarding(user)) throw redirect({ to: "/personalInformation", state: { from: visit.location.href } });
    return user;
  });

/** Admits only users who have not completed onboarding. */
export const requireOnboarding = (visit: Guarded): Promise<void> =>
  requireUser(visit).then((user) => {
    if (!needsOnboarding(user)) throw redirect({ href: visit.location.state.from ?? "/" });
  });

/** Redirects signed-in users away from the login page, unless it shows the outcome of a mailed link. */
export const redirectSignedIn = ({ location: { state } }: Pick<Guarded, "location">): void => {
  const outcome = takeOutcome();
  if (outcome) throw redirect({ to: "/login", state: { outcome } });
  if (readToken() !== undefined && !state.outcome) throw redirect({ href: state.from ?? "/" });
};

/** Leads to the start page, and from there to the public page without a session, where an address that signs in has no token. */
export const redirectWithoutToken = ({ location: { search } }: Pick<Guarded, "location">): void => {
  if (!search.accessToken) throw redirect({ to: "/" });
};

/**
 * Removes the secret of a mailed link from the address bar, and so from the browser history, as soon as it has been read. A reload still finds it in
 * the state of this history entry.
 */
export const hideSecret =
  (name: "accessToken" | "secret") =>
  ({ location }: Pick<Guarded, "location">): void => {
    const { [name]: secret, ...search } = location.search;
    if (secret === undefined) return;
    throw redirect({ to: location.pathname, search, state: { secret: String(secret) } });
  };

/** The same for the answer of the provider of single sign-on, which is the whole query. */
export const hideAnswer = ({ location: { pathname, href, hash } }: Pick<Guarded, "location">): void => {
  const query = href.split("?", 2)[1];
  if (query !== undefined)
    throw redirect({ to: pathname, state: { secret: query.slice(0, query.length - hash.length) } });
};

/** The same for the short link of an alert's message, whose secret is the last part of its path. */
export const hideLink = ({ params }: Guarded): void => {
  throw redirect({ to: "/c", state: { secret: params.link ?? "" } });
};

/** Admits users without an account to the registration by device; an invitation is open to all. */
export const redirectRegistered = ({ location }: Pick<Guarded, "location">): void => {
  hideSecret("accessToken")({ location });
  const isInvited = location.state.secret !== undefined;
  if (!isInvited && readToken() !== undefined) throw redirect({ to: "/" });
};
