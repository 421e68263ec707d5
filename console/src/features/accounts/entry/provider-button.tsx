import { useMutation } from "@tanstack/react-query";
import type { CallError } from "@telltale/contract/call/client";
import { FormMessage } from "../../../form/form-message.tsx";
import { type ProviderVisit, visitProvider } from "../../../session/single-sign-on.ts";
import { Button } from "../../../ui/control/button.tsx";
import classes from "./entry-fields.module.css";
import { EntryAlternatives, entryLink } from "./entry-fields.tsx";

interface ProviderButtonProps {
  /** Name of the provider of single sign-on. */
  name: string;
  visit: ProviderVisit;
  /** The only way to sign in; else it stands beside a form. */
  isMain?: boolean;
  /** The sign-in before has failed. */
  isAgain?: boolean;
}

/** Signs in through the provider; an error is shown above the button. */
export const ProviderButton = ({ name, visit, isMain = false, isAgain = false }: ProviderButtonProps) => {
  const leave = useMutation<void, CallError>({ mutationFn: () => visitProvider(visit, isAgain) });
  return (
    <>
      <FormMessage id="provider-message">{leave.error?.message}</FormMessage>
      <Button
        className={classes.submit}
        variant={isMain ? "filled" : "default"}
        fullWidth
        loading={leave.isPending}
        onClick={() => leave.mutate()}
      >
        Sign in with {name}
      </Button>
    </>
  );
};

interface ProviderSignInProps {
  /** Name of the provider. */
  name: string;
  /** The page that the user wanted. */
  from: string | undefined;
  /** Shows the form for a password; given where the provider is the usual way. */
  onPassword?: () => void;
}

/** Sign-in through the provider on the login screen: below the form, or in place of it. */
export const ProviderSignIn = ({ name, from, onPassword }: ProviderSignInProps) => (
  <div className={classes.form}>
    {onPassword && <h1>Log IN</h1>}
    <ProviderButton name={name} visit={{ from }} isMain={onPassword !== undefined} />
    {onPassword && (
      <EntryAlternatives>
        <p>
          <button type="button" className={entryLink} onClick={onPassword}>
            Use a password
          </button>
        </p>
      </EntryAlternatives>
    )}
  </div>
);
