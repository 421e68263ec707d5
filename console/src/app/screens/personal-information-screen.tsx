import { useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import type { UserInfo } from "@telltale/contract/accounts";
import { PersonalInformationForm } from "../../features/accounts/personal-information-form.tsx";
import { userQuery } from "../../session/session.ts";
import { EntryFrame } from "./entry-frame.tsx";

/** What a new user says of themselves before anything else. (spec 2 §4) */
export const PersonalInformationScreen = () => {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const from = useLocation({ select: ({ state }) => state.from });
  const goOn = (said: Partial<UserInfo>) => {
    // Not asked for again: were the network lost now, the guard would send back to the form that has been saved.
    queries.setQueryData<UserInfo>(userQuery.queryKey, (user) => user && { ...user, ...said, hasInfo: true });
    void navigate({ to: "/personalInformationCreated", replace: true, state: from === undefined ? {} : { from } });
  };
  return (
    <EntryFrame title="Personal information">
      <PersonalInformationForm onSaved={goOn} />
    </EntryFrame>
  );
};
