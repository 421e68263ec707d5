import { Button, PasswordInput, TextInput } from "@mantine/core";
import { IconAlertTriangle, IconEye, IconEyeOff } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { accounts, type UserInfo } from "@telltale/contract/accounts";
import type { Input } from "@telltale/contract/call";
import type { CallError } from "@telltale/contract/client";
import { useCallForm } from "../../form/use-call-form.ts";
import { client } from "../../session/client.ts";
import classes from "./login-form.module.css";

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
      <TextInput
        {...field("email")}
        label="Email"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        classNames={classes}
      />
      <PasswordInput
        {...field("password")}
        label="Password"
        autoComplete="current-password"
        visibilityToggleIcon={({ reveal }) =>
          reveal ? <IconEye size={18} aria-hidden /> : <IconEyeOff size={18} aria-hidden />
        }
        visibilityToggleButtonProps={{ "aria-label": "Show password", tabIndex: 0 }}
        classNames={{ ...classes, innerInput: classes.inner }}
      />
      {message && (
        <p id="login-message" role="alert" className={classes.message}>
          <IconAlertTriangle size={16} aria-hidden />
          {message}
        </p>
      )}
      <Button type="submit" className={classes.submit} fullWidth loading={login.isPending}>
        Log IN
      </Button>
    </form>
  );
};
