import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from "@mantine/core";
import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { passwordEye } from "../../../form/password-field.tsx";
import classes from "./entry-fields.module.css";

interface EntryNoteProps {
  /** Something went wrong: amber, and said at once. */
  isCaution?: boolean;
  sentence: string;
  /** The way on. */
  children?: ReactNode;
}

/** What happened before this form was opened. It stays, unlike a notification: it may say what to do. */
export const EntryNote = ({ isCaution = false, sentence, children }: EntryNoteProps) => {
  const Icon = isCaution ? IconAlertTriangle : IconCheck;
  return (
    <div className={classes.note} data-caution={isCaution || undefined} role={isCaution ? "alert" : "status"}>
      <span className={classes.icon}>
        <Icon size={18} aria-hidden />
      </span>
      <div className={classes.text}>
        <b>{sentence}</b>
        {children}
      </div>
    </div>
  );
};

/** A large line of text, for the forms before one is signed in. */
export const EntryText = (props: TextInputProps) => <TextInput {...props} classNames={classes} />;

export const EntryEmail = (props: TextInputProps) => (
  <EntryText label="Email" type="email" autoComplete="username" autoCapitalize="none" spellCheck={false} {...props} />
);

/** A large password with its eye. */
export const EntryPassword = (props: PasswordInputProps) => (
  <PasswordInput {...passwordEye} {...props} classNames={{ ...classes, innerInput: classes.inner }} />
);

/** A link or button within a line of text. */
export const entryLink = classes.link;

/** The other ways to go, under the button. */
export const EntryWays = ({ children }: { children: ReactNode }) => <div className={classes.ways}>{children}</div>;
