import classes from "./entry-fields.module.css";
import { EntryAlternatives, entryLink } from "./entry-fields.tsx";
import { ProviderButton } from "./provider-button.tsx";

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
