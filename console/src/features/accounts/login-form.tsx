import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { accounts, type UserInfo } from "@telltale/contract/accounts";
import type { Input } from "@telltale/contract/call";
import type { CallError } from "@telltale/contract/client";
import { useCallForm } from "../../form/use-call-form.ts";
import { client } from "../../session/client.ts";
import classes from "./entry-fields.module.css";
import { EntryEmail, EntryMessage, EntryPassword } from "./entry-fields.tsx";

/** E-mail and password. What is wrong stands above the button, until the fields change. */
export const LoginForm = ({ onSignedIn }: { onSignedIn: (user: UserInfo) => void }) => {
  const login = useMutation<UserInfo, CallError, Partial<Input<typeof accounts.login>>>({
    mutationFn: (input) => client(accounts.login, input),
    onSuccess: onSignedIn,
  });
  const form = useCallForm(accounts.login, (input) => login.mutate(input));
  const [complaint] = Object.values(form.errors);
  const message = complaint ?? login.error?.message;
  const field = (name: "email" | "password") => {
    const { error, ...props } = form.field(name);
    return { ...props, error: error !== undefined, "aria-describedby": message ? "login-message" : undefined };
  };
  return (
    <form {...form.props} className={classes.form} method="post" onInput={() => login.isError && login.reset()}>
      <h1>Log IN</h1>
      <EntryEmail {...field("email")} autoFocus />
      <EntryPassword {...field("password")} label="Password" autoComplete="current-password" />
      <EntryMessage id="login-message">{message}</EntryMessage>
      <Button type="submit" className={classes.submit} fullWidth loading={login.isPending}>
        Log IN
      </Button>
    </form>
  );
};
