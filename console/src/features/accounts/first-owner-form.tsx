import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { accounts, type UserInfo } from "@telltale/contract/accounts";
import type { Input } from "@telltale/contract/call";
import type { CallError } from "@telltale/contract/client";
import { complaint } from "../../form/text-field.tsx";
import { useCallForm } from "../../form/use-call-form.ts";
import { client } from "../../session/client.ts";
import classes from "./entry-fields.module.css";
import { EntryEmail, EntryMessage, EntryPassword, EntryText } from "./entry-fields.tsx";

/** E-mail, plant and password of the one who owns what this server watches. */
export const FirstOwnerForm = ({ secret, onCreated }: { secret: string; onCreated: (user: UserInfo) => void }) => {
  const create = useMutation<UserInfo, CallError, Input<typeof accounts.createFirstOwner>>({
    mutationFn: (input) => client(accounts.createFirstOwner, input),
    onSuccess: onCreated,
  });
  const form = useCallForm(accounts.createFirstOwner, (input) => create.mutate(input));
  const field = (name: string) => {
    const { error, ...props } = form.field(name);
    return { ...props, error: complaint(error) };
  };
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return (
    <form {...form.props} className={classes.form} method="post" onInput={() => create.isError && create.reset()}>
      <h1>First owner</h1>
      <input type="hidden" name="secret" value={secret} />
      <input type="hidden" name="timeZoneId" value={timeZone} />
      <EntryEmail {...field("email")} autoFocus />
      <EntryText {...field("plantName")} label="Plant name" autoComplete="organization" />
      <EntryPassword {...field("password")} label="Password" autoComplete="new-password" />
      <EntryPassword {...field("confirmPassword")} label="Confirm password" autoComplete="new-password" />
      <EntryMessage id="first-owner-message">{form.errors.secret ?? create.error?.message}</EntryMessage>
      <Button type="submit" className={classes.submit} fullWidth loading={create.isPending}>
        Create
      </Button>
    </form>
  );
};
