import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { UserInfo } from "@telltale/contract/accounts";
import { FirstOwnerForm } from "../../features/accounts/first-owner-form.tsx";
import { landingOf } from "../../session/landing.ts";
import { openSession } from "../../session/session.ts";
import { EntryFrame } from "./entry-frame.tsx";
import { useLinkParameters } from "./use-link-parameters.ts";

/** /firstOwner?secret= sets up a server that has no users yet. (decisions §6) */
export const FirstOwnerScreen = () => {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { secret } = useLinkParameters();
  const enter = (user: UserInfo) => {
    openSession(queries, user);
    void navigate({ href: landingOf(user), replace: true });
  };
  return (
    <EntryFrame title="First owner">
      <FirstOwnerForm secret={secret} onCreated={enter} />
    </EntryFrame>
  );
};
