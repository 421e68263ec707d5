import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from "@mantine/core";
import { IconAlertTriangle, IconEye, IconEyeOff } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./entry-fields.module.css";

/** A large line of text, for the forms before one is signed in. */
export const EntryText = (props: TextInputProps) => <TextInput {...props} classNames={classes} />;

export const EntryEmail = (props: TextInputProps) => (
  <EntryText label="Email" type="email" autoComplete="username" autoCapitalize="none" spellCheck={false} {...props} />
);

/** A large password with its eye. */
export const EntryPassword = (props: PasswordInputProps) => (
  <PasswordInput
    visibilityToggleIcon={({ reveal }) =>
      reveal ? <IconEye size={18} aria-hidden /> : <IconEyeOff size={18} aria-hidden />
    }
    visibilityToggleButtonProps={{ "aria-label": "Show password", tabIndex: 0 }}
    {...props}
    classNames={{ ...classes, innerInput: classes.inner }}
  />
);

/** A link or button within a line of text. */
export const entryLink = classes.link;

/** The other ways to go, under the button. */
export const EntryWays = ({ children }: { children: ReactNode }) => <div className={classes.ways}>{children}</div>;

/** What is wrong with the form as a whole, above its button. */
export const EntryMessage = ({ id, children }: { id: string; children: string | undefined }) =>
  children && (
    <p id={id} role="alert" className={classes.message}>
      <IconAlertTriangle size={16} aria-hidden />
      {children}
    </p>
  );
