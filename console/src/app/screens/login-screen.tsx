import { useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import type { UserInfo } from "@telltale/contract/accounts";
import { LoginForm } from "../../features/accounts/login-form.tsx";
import { landingOf } from "../../session/landing.ts";
import { openSession } from "../../session/session.ts";
import { EntryFrame } from "./entry-frame.tsx";

/** Signs in and goes to where the user wanted to, or to the page that fits the role. */
export const LoginScreen = () => {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const from = useLocation({ select: ({ state }) => state.from });
  const enter = (user: UserInfo) => {
    openSession(queries, user);
    void navigate({ href: from ?? landingOf(user), replace: true });
  };
  return (
    <EntryFrame title="Log IN">
      <LoginForm onSignedIn={enter} />
    </EntryFrame>
  );
};
