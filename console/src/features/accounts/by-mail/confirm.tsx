import { UnreachableError } from "@telltale/contract/call/client";
import { registration } from "@telltale/contract/domains/people/registration";
import { useEffect, useRef } from "react";
import { client } from "../../../session/client.ts";
import { leaveForLogin } from "../../../session/outcome.ts";
import { EntryFrame } from "../entry/entry-frame.tsx";
import { type LinkParameters, useLinkParameters } from "../entry/use-link-parameters.ts";

/** When the server was not reached, the link is still unused. */
const sentenceOf = (error: unknown): string => {
  if (error instanceof UnreachableError) return `${error.message}. Open the link in the mail again`;
  return error instanceof Error ? error.message : String(error);
};

const confirm = async ({ email, secret }: LinkParameters): Promise<void> => {
  try {
    await client(registration.confirm, { email, accessToken: secret });
    leaveForLogin({ isSuccess: true, sentence: "Your e-mail address is confirmed. Log in to continue", email });
  } catch (error) {
    leaveForLogin({ isSuccess: false, sentence: sentenceOf(error), email });
  }
};

/** /confirm?accessToken=&email= completes a registration, then goes to the login page whether or not it succeeded. (spec 2 §2) */
export const ConfirmScreen = () => {
  const link = useLinkParameters();
  const isStarted = useRef(false);
  useEffect(() => {
    // A single-use secret must not be sent twice; React's strict mode runs effects twice.
    if (isStarted.current) return;
    isStarted.current = true;
    void confirm(link);
  }, [link]);
  return (
    <EntryFrame title="Confirm">
      <p role="status">Confirming your e-mail address</p>
    </EntryFrame>
  );
};
