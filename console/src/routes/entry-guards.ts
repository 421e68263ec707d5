import type { QueryClient } from "@tanstack/react-query";
import { type ParsedLocation, redirect } from "@tanstack/react-router";
import type { UserInfo } from "@telltale/contract/domains/people/accounts";
import { needsOnboarding } from "../session/guard.ts";
import { takeOutcome } from "../session/outcome.ts";
import { userQuery } from "../session/session.ts";
import { readToken } from "../session/token.ts";
import type { Search } from "../ui/page/search.ts";

interface GuardLocation {
  location: ParsedLocation<Search>;
}

interface GuardArguments extends GuardLocation {
  context: { queries: QueryClient };
}

/** Returns the signed-in user; redirects to the public page when there is no token. */
export const requireUser = async ({ context, location }: GuardArguments): Promise<{ user: UserInfo }> => {
  if (readToken() === undefined) throw redirect({ to: "/index", state: { from: location.href } });
  return { user: await context.queries.ensureQueryData(userQuery) };
};

/** Admits only users who have not completed onboarding. */
export const requireOnboarding = async (asking: GuardArguments): Promise<{ user: UserInfo }> => {
  const { user } = await requireUser(asking);
  if (!needsOnboarding(user)) throw redirect({ href: asking.location.state.from ?? "/", replace: true });
  return { user };
};

/** Redirects signed-in users away from the login page, unless it shows the outcome of a mailed link. */
export const redirectSignedIn = ({ location: { state } }: GuardLocation): void => {
  const outcome = takeOutcome();
  if (outcome) throw redirect({ to: "/login", state: { outcome }, replace: true });
  if (readToken() !== undefined && !state.outcome) throw redirect({ href: state.from ?? "/", replace: true });
};

/**
 * Removes the secret of a mailed link from the address bar, and so from the browser history, as soon as it has been read. A reload still finds it in
 * the state of this history entry.
 */
export const hideSecret =
  (name: "accessToken" | "secret") =>
  ({ location }: GuardLocation): void => {
    const { [name]: secret, ...search } = location.search;
    if (secret === undefined) return;
    throw redirect({ to: location.pathname, search, state: { secret: String(secret) }, replace: true });
  };

/** The same for the short link of an alert's message, whose secret is the last part of its path. */
export const hideLink = ({ params }: { params: { link: string } }): void => {
  throw redirect({ to: "/c", state: { secret: params.link }, replace: true });
};

/** Admits users without an account to the registration by device; an invitation is open to all. */
export const redirectRegistered = ({ location }: GuardLocation): void => {
  hideSecret("accessToken")({ location });
  const isInvited = location.state.secret !== undefined;
  if (!isInvited && readToken() !== undefined) throw redirect({ to: "/", replace: true });
};
