import { useSearch } from "@tanstack/react-router";
import { NewPasswordForm } from "../../features/accounts/new-password-form.tsx";
import { leaveForLogin } from "../outcome.ts";
import { EntryFrame } from "./entry-frame.tsx";
import { useLinkParameters } from "./use-link-parameters.ts";

/** /forgetEdit?email=&accessToken=[&set] sets a new password by the mailed link. */
export const NewPasswordScreen = () => {
  const link = useLinkParameters();
  const isFirst = (useSearch({ strict: false }) as Record<string, unknown>).set !== undefined;
  const title = isFirst ? "Set password" : "Reset password";
  const leave = () =>
    leaveForLogin({ isSuccess: true, sentence: "The new password is set. Log in with it", email: link.email });
  return (
    <EntryFrame title={title}>
      <NewPasswordForm title={title} {...link} onSet={leave} />
    </EntryFrame>
  );
};
