import { text, useSearchOf } from "../../../ui/page/search.ts";
import { useLocation } from "../../../ui/router/hooks.ts";

export interface LinkParameters {
  /** Empty when the address has none. */
  email: string;
  secret: string;
}

/** Parameters of mailed links. */
const linkSearch = { email: text };

/** Recipient and secret of a mailed link. */
export const useLinkParameters = (): LinkParameters => {
  const { email = "" } = useSearchOf(linkSearch);
  const secret = useLocation(({ state }) => state.secret);
  return { email, secret: secret ?? "" };
};
