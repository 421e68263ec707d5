import { useNavigate } from "@tanstack/react-router";
import { AskResetForm } from "../../features/accounts/ask-reset-form.tsx";
import { EntryFrame } from "./entry-frame.tsx";
import { useLinkParameters } from "./use-link-parameters.ts";

/** Asks for a mail that lets one set a new password. */
export const ResetPasswordScreen = () => {
  const navigate = useNavigate();
  const { email } = useLinkParameters();
  const wait = (sentTo: string) => {
    void navigate({ to: "/resetPasswordEmail", search: { email: sentTo }, state: { sentAt: Date.now() } });
  };
  return (
    <EntryFrame title="Forgot password">
      <AskResetForm email={email} onSent={wait} />
    </EntryFrame>
  );
};
