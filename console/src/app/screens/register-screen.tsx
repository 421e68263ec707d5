import { useNavigate } from "@tanstack/react-router";
import { Invitation } from "../../features/accounts/invitation.tsx";
import { RegisterForm } from "../../features/accounts/register-form.tsx";
import { leaveForLogin } from "../outcome.ts";
import { EntryFrame } from "./entry-frame.tsx";
import { useLinkParameters } from "./use-link-parameters.ts";

/** Becoming a user: with a device in hand, or by the link of an invitation. */
export const RegisterScreen = () => {
  const navigate = useNavigate();
  const { email, secret } = useLinkParameters();
  const wait = (sentTo: string) => {
    void navigate({ to: "/loginEmail", search: { email: sentTo }, state: { sentAt: Date.now() } });
  };
  const join = () => leaveForLogin({ isSuccess: true, sentence: "Registered successfully", email });
  return (
    <EntryFrame title="Register">
      {secret ? (
        <Invitation email={email} secret={secret} onJoined={join} />
      ) : (
        <RegisterForm email={email} onSent={wait} />
      )}
    </EntryFrame>
  );
};
