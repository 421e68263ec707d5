import { useLocation, useSearch } from "@tanstack/react-router";

export interface LinkParameters {
  /** Empty where the address has none. */
  email: string;
  secret: string;
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** What a mailed link says of whom it is for and what proves it. */
export const useLinkParameters = (): LinkParameters => {
  const { email } = useSearch({ strict: false }) as Record<string, unknown>;
  const secret = useLocation({ select: ({ state }) => state.secret });
  return { email: text(email), secret: text(secret) };
};
