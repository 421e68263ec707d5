import { useLocation } from "@tanstack/react-router";
import { text, useSearchOf } from "../../../ui/page/search.ts";

export interface LinkParameters {
  /** Empty where the address has none. */
  email: string;
  secret: string;
}

/** What mailed links have in their address. */
const linkSearch = { email: text };

/** What a mailed link says of whom it is for and what proves it. */
export const useLinkParameters = (): LinkParameters => {
  const { email = "" } = useSearchOf(linkSearch);
  const secret = useLocation({ select: ({ state }) => state.secret });
  return { email, secret: secret ?? "" };
};
