import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { UserInfo } from "@telltale/contract/accounts";
import { FirstOwnerForm } from "../../features/accounts/first-owner-form.tsx";
import { landingOf } from "../../session/landing.ts";
import { openSession } from "../../session/session.ts";
import { EntryFrame } from "./entry-frame.tsx";

/** /firstOwner?secret= sets up a server that has no users yet. (decisions §6) */
export const FirstOwnerScreen = () => {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { secret } = useSearch({ strict: false }) as { secret?: unknown };
  const enter = (user: UserInfo) => {
    openSession(queries, user);
    void navigate({ href: landingOf(user), replace: true });
  };
  return (
    <EntryFrame title="First owner">
      <FirstOwnerForm secret={typeof secret === "string" ? secret : ""} onCreated={enter} />
    </EntryFrame>
  );
};
