import { useQueryClient } from "@tanstack/react-query";
import { accounts, type UserInfo } from "@telltale/contract/domains/people/accounts";
import { FormMessage } from "../../../form/form-message.tsx";
import { startPageOf } from "../../../session/landing.ts";
import { openSession } from "../../../session/session.ts";
import { Button } from "../../../ui/control/button.tsx";
import { useNavigate } from "../../../ui/router/hooks.ts";
import classes from "./entry-fields.module.css";
import { EntryEmail, EntryPassword, EntryText } from "./entry-fields.tsx";
import { EntryFrame } from "./entry-frame.tsx";
import { useEntryForm } from "./use-entry-form.ts";
import { useLinkParameters } from "./use-link-parameters.ts";

/** E-mail, plant and password of the first owner. */
export const FirstOwnerForm = ({ secret, onCreated }: { secret: string; onCreated: (user: UserInfo) => void }) => {
  const form = useEntryForm(accounts.createFirstOwner, onCreated);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return (
    <form {...form.props}>
      <h1>First owner</h1>
      <input type="hidden" name="secret" value={secret} />
      <input type="hidden" name="timeZoneId" value={timeZone} />
      <EntryEmail {...form.field("email")} autoFocus />
      <EntryText {...form.field("plantName")} label="Plant name" autoComplete="organization" />
      <EntryPassword {...form.field("password")} label="Password" autoComplete="new-password" />
      <EntryPassword {...form.field("confirmPassword")} label="Confirm password" autoComplete="new-password" />
      <FormMessage id="first-owner-message">{form.errors.secret ?? form.refusal?.message}</FormMessage>
      <Button type="submit" className={classes.submit} fullWidth loading={form.isPending}>
        Create
      </Button>
    </form>
  );
};

/** /firstOwner?secret= sets up a server that has no users yet. (decisions §6) */
export const FirstOwnerScreen = () => {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { secret } = useLinkParameters();
  const enter = (user: UserInfo) => {
    openSession(queries, user);
    void navigate({ href: startPageOf(user), replace: true });
  };
  return (
    <EntryFrame title="First owner">
      <FirstOwnerForm secret={secret} onCreated={enter} />
    </EntryFrame>
  );
};
