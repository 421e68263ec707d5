import type { QueryClient } from "@tanstack/react-query";
import { type ParsedLocation, redirect } from "@tanstack/react-router";
import type { UserInfo } from "@telltale/contract/domains/people/accounts";
import { isStranger } from "../session/guard.ts";
import { takeOutcome } from "../session/outcome.ts";
import { userQuery } from "../session/session.ts";
import { readToken } from "../session/token.ts";
import type { Search } from "../ui/page/search.ts";

interface Entering {
  location: ParsedLocation<Search>;
}

interface Asking extends Entering {
  context: { queries: QueryClient };
}

/** The signed-in user; whoever has no token is sent to the public page. */
export const requireUser = async ({ context, location }: Asking): Promise<{ user: UserInfo }> => {
  if (readToken() === undefined) throw redirect({ to: "/index", state: { from: location.href } });
  return { user: await context.queries.ensureQueryData(userQuery) };
};

/** The page of the first questions is for those who have not answered them. */
export const requireStranger = async (asking: Asking): Promise<{ user: UserInfo }> => {
  const { user } = await requireUser(asking);
  if (!isStranger(user)) throw redirect({ href: asking.location.state.from ?? "/", replace: true });
  return { user };
};

/** The login has something to say after a mailed link, also to somebody signed in. Otherwise one is signed in already. */
export const passSignedIn = ({ location: { state } }: Entering): void => {
  const outcome = takeOutcome();
  if (outcome) throw redirect({ to: "/login", state: { outcome }, replace: true });
  if (readToken() !== undefined && !state.outcome) throw redirect({ href: state.from ?? "/", replace: true });
};

/**
 * The secret of a mailed link leaves the address bar, and so the browser's list of visited pages, as soon as it was read.
 * Loading the page again still finds it, in the state of this history entry.
 */
export const hideSecret =
  (name: "accessToken" | "secret") =>
  ({ location }: Entering): void => {
    const { [name]: secret, ...search } = location.search;
    if (secret === undefined) return;
    throw redirect({ to: location.pathname, search, state: { secret: String(secret) }, replace: true });
  };

/** Registering by a device is for those who have no account; an invitation is for everybody. */
export const passRegistered = ({ location }: Entering): void => {
  hideSecret("accessToken")({ location });
  const isInvited = location.state.secret !== undefined;
  if (!isInvited && readToken() !== undefined) throw redirect({ to: "/", replace: true });
};
