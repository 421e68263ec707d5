import { useLocation } from "@tanstack/react-router";
import { text, useSearchOf } from "../../../ui/page/search.ts";

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
  const secret = useLocation({ select: ({ state }) => state.secret });
  return { email, secret: secret ?? "" };
};
