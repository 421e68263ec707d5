import { singleSignOn } from "@telltale/contract/domains/people/single-sign-on";
import { client } from "./client.ts";

const key = "telltale-sso";

/** What the sign-in at the provider is for; kept in this tab meanwhile. */
export interface ProviderVisit {
  /** The page that the user wanted. */
  from?: string | undefined;
  /** The invitation to accept: its address and the secret of its link. */
  email?: string | undefined;
  accessToken?: string | undefined;
}

/** Goes to the provider's own page. `isAgain`: which asks who it is even if it knows, because this server did not admit that person. */
export const visitProvider = async (visit: ProviderVisit, isAgain: boolean): Promise<void> => {
  const { email } = visit;
  const { url } = await client(singleSignOn.begin, { ...(email ? { email } : {}), ...(isAgain ? { again: "1" } : {}) });
  sessionStorage.setItem(key, JSON.stringify(visit));
  location.assign(url);
};

/** What this tab went to the provider for. It is kept, so that a failed sign-in can be repeated. */
export const providerVisit = (): ProviderVisit => {
  const visit: ProviderVisit = JSON.parse(sessionStorage.getItem(key) ?? "{}");
  // Only a path of this console, never another host.
  return /^\/(?![/\\])/.test(visit.from ?? "") ? visit : { ...visit, from: undefined };
};

/** The sign-in is complete. */
export const endProviderVisit = (): void => sessionStorage.removeItem(key);
