import { useSearch } from "@tanstack/react-router";
import { ContactRequest } from "../../features/accounts/contact-request.tsx";
import { EntryFrame } from "./entry-frame.tsx";
import { useLinkParameters } from "./use-link-parameters.ts";

/** /contact?accessToken=&email=[&stop=1]: whether somebody who is no user wants a plant's alerts. */
export const ContactScreen = () => {
  const link = useLinkParameters();
  const { stop } = useSearch({ strict: false }) as Record<string, unknown>;
  return (
    <EntryFrame title="Alerts">
      <ContactRequest {...link} isStop={String(stop) === "1"} />
    </EntryFrame>
  );
};
