import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Input } from "@telltale/contract/call/call";
import type { CallError } from "@telltale/contract/call/client";
import { Code, Message } from "@telltale/contract/call/codes";
import { accounts, type UserInfo } from "@telltale/contract/domains/people/accounts";
import { type FormEvent, Suspense, useEffect, useRef, useState } from "react";
import { FormMessage } from "../../../form/form-message.tsx";
import { useCallForm } from "../../../form/use-call-form.ts";
import { client } from "../../../session/client.ts";
import { startPageOf } from "../../../session/landing.ts";
import type { Outcome } from "../../../session/outcome.ts";
import { openSession } from "../../../session/session.ts";
import { Button } from "../../../ui/control/button.tsx";
import { lazyPlain } from "../../../ui/load-with-retry.ts";
import { useLocation, useNavigate } from "../../../ui/router/hooks.ts";
import { Link } from "../../../ui/router/link.tsx";
import classes from "./entry-fields.module.css";
import { EntryAlternatives, EntryEmail, EntryNote, EntryPassword, EntryText, entryLink } from "./entry-fields.tsx";
import { EntryFrame } from "./entry-frame.tsx";
import { useSite } from "./use-site.ts";

interface CodeFieldProps {
  name: string;
  error: boolean;
  onInput: () => void;
  "aria-describedby": string | undefined;
}

/** The second factor: a code of the authenticator app, or a recovery code. */
export const CodeField = ({ onInput, ...field }: CodeFieldProps) => {
  const [isRecovery, setRecovery] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: switching the kind of code focuses the empty field
  useEffect(() => input.current?.focus(), [isRecovery]);
  const kind = isRecovery
    ? { label: "Recovery code", description: "One of the codes you kept; each works once", autoComplete: "off" }
    : { label: "Code", description: Message.codeNeeded, autoComplete: "one-time-code", inputMode: "numeric" as const };
  return (
    <div className={classes.withLink}>
      <EntryText
        key={kind.label}
        ref={input}
        {...field}
        {...kind}
        onInput={onInput}
        maxLength={40}
        autoCapitalize="none"
        spellCheck={false}
      />
      <button type="button" className={entryLink} onClick={() => setRecovery(!isRecovery)}>
        {isRecovery ? "Use the authenticator app" : "Use a recovery code"}
      </button>
    </div>
  );
};

const isCodeNeeded = (error: CallError | null): boolean => error?.code === Code.codeNeeded;

/** Sends the form. Once the password was accepted and a code is required, the code field stays until a different user signs in. */
const useLogin = (onSignedIn: (user: UserInfo) => void) => {
  const [isCodeAsked, askCode] = useState(false);
  const login = useMutation<UserInfo, CallError, Partial<Input<typeof accounts.login>>>({
    mutationFn: (input) => client(accounts.login, input),
    onSuccess: onSignedIn,
    onError: (error) => isCodeNeeded(error) && askCode(true),
  });
  const form = useCallForm(accounts.login, (input) => login.mutate(input));
  const [validationError] = Object.values(form.errors);
  const refusal = isCodeNeeded(login.error) ? undefined : login.error?.message;
  const onInput = ({ target }: FormEvent) => {
    if (login.isError) login.reset();
    if (target instanceof HTMLInputElement && target.name !== "code") askCode(false);
  };
  return { form, onInput, isCodeAsked, message: validationError ?? refusal, isPending: login.isPending };
};

interface LoginFormProps {
  /** Filled in when known. */
  email: string;
  onSignedIn: (user: UserInfo) => void;
}

/** E-mail and password, and a code for users with a second factor. Errors are shown above the button until the fields change. */
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

/** The outcome of a mailed link; on failure with links to request another. */
const OutcomeMessage = ({ isSuccess, sentence, email }: Outcome) => (
  <EntryNote isCaution={!isSuccess} sentence={sentence}>
    {!isSuccess && (
      <>
        <Link to="/loginEmail" search={{ email }} className={entryLink}>
          Resend
        </Link>{" "}
        the mail, or{" "}
        <Link to="/register" className={entryLink}>
          Register
        </Link>{" "}
        again.
      </>
    )}
  </EntryNote>
);

const Ways = () => {
  const from = useLocation(({ state }) => state.from);
  const { data } = useSite();
  return (
    <EntryAlternatives>
      {data?.hasPasswords !== false && (
        <p>
          No account yet?{" "}
          <Link to="/register" state={from === undefined ? {} : { from }} className={entryLink}>
            Register
          </Link>{" "}
          with your Device ID.
        </p>
      )}
      {data?.hasOutbox && (
        <p>
          Demonstration: its mails are in the{" "}
          <Link to="/outbox" className={entryLink}>
            Outbox
          </Link>
          .
        </p>
      )}
    </EntryAlternatives>
  );
};

/** Servers without a provider do not load it. */
const ProviderSignIn = lazyPlain(() => import("./provider-button.tsx"), "ProviderSignIn");

interface SignInProps extends LoginFormProps {
  /** The page that the user wanted. */
  from: string | undefined;
}

/** The form, the provider of single sign-on, or both. Where passwords are off, the form is for the owner who keeps one. */
const SignIn = ({ from, ...form }: SignInProps) => {
  const { data } = useSite();
  const [isFormWanted, wantForm] = useState(false);
  const { singleSignOn: name = null, hasPasswords = true } = data ?? {};
  const hasForm = hasPasswords || isFormWanted;
  return (
    <>
      {hasForm && <LoginForm {...form} />}
      {name !== null && (
        <Suspense>
          <ProviderSignIn name={name} from={from} {...(hasForm ? {} : { onPassword: () => wantForm(true) })} />
        </Suspense>
      )}
    </>
  );
};

/** Signs in and goes to the page the user wanted, or to the start page of the role. */
export const LoginScreen = () => {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { from, outcome } = useLocation(({ state }) => state);
  const enter = (user: UserInfo) => {
    openSession(queries, user);
    void navigate({ href: from ?? startPageOf(user), replace: true });
  };
  return (
    <EntryFrame title="Log IN">
      {outcome && <OutcomeMessage {...outcome} />}
      <SignIn from={from} email={outcome?.email ?? ""} onSignedIn={enter} />
      <Ways />
    </EntryFrame>
  );
};
