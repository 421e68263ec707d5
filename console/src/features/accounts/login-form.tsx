import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { accounts, type UserInfo } from "@telltale/contract/accounts";
import type { Input } from "@telltale/contract/call";
import type { CallError } from "@telltale/contract/client";
import { Code } from "@telltale/contract/codes";
import { type FormEvent, useState } from "react";
import { FormMessage } from "../../form/form-message.tsx";
import { useCallForm } from "../../form/use-call-form.ts";
import { client } from "../../session/client.ts";
import { CodeField } from "./code-field.tsx";
import classes from "./entry-fields.module.css";
import { EntryEmail, EntryPassword, entryLink } from "./entry-fields.tsx";

const isCodeNeeded = (error: CallError | null): boolean => error?.code === Code.codeNeeded;

/** Sends the form. Once the password was right and a code is asked for, the code's field is there until another user signs in. */
const useLogin = (onSignedIn: (user: UserInfo) => void) => {
  const [isCodeAsked, askCode] = useState(false);
  const login = useMutation<UserInfo, CallError, Partial<Input<typeof accounts.login>>>({
    mutationFn: (input) => client(accounts.login, input),
    onSuccess: onSignedIn,
    onError: (error) => isCodeNeeded(error) && askCode(true),
  });
  const form = useCallForm(accounts.login, (input) => login.mutate(input));
  const [complaint] = Object.values(form.errors);
  const refusal = isCodeNeeded(login.error) ? undefined : login.error?.message;
  const onInput = ({ target }: FormEvent) => {
    if (login.isError) login.reset();
    if (target instanceof HTMLInputElement && target.name !== "code") askCode(false);
  };
  return { form, onInput, isCodeAsked, message: complaint ?? refusal, isPending: login.isPending };
};

interface LoginFormProps {
  /** Filled in when it is known. */
  email: string;
  onSignedIn: (user: UserInfo) => void;
}

/** E-mail and password, and a code where the user asks for one. What is wrong stands above the button, until the fields change. */
export const LoginForm = ({ email, onSignedIn }: LoginFormProps) => {
  const { form, onInput, isCodeAsked, message, isPending } = useLogin(onSignedIn);
  const field = (name: "email" | "password" | "code") => {
    const { error, ...props } = form.field(name);
    return { ...props, error: error !== undefined, "aria-describedby": message ? "login-message" : undefined };
  };
  return (
    <form {...form.props} className={classes.form} method="post" onInput={onInput}>
      <h1>Log IN</h1>
      <EntryEmail {...field("email")} defaultValue={email} autoFocus={email === ""} />
      <div className={classes.withLink}>
        <EntryPassword
          {...field("password")}
          label="Password"
          autoComplete="current-password"
          autoFocus={email !== ""}
        />
        <Link to="/resetPassword" className={entryLink}>
          Forgot password
        </Link>
      </div>
      {isCodeAsked && <CodeField {...field("code")} />}
      <FormMessage id="login-message">{message}</FormMessage>
      <Button type="submit" className={classes.submit} fullWidth loading={isPending}>
        Log IN
      </Button>
    </form>
  );
};
