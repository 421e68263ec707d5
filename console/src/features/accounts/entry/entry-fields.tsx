import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { FramedInputProps } from "../../../ui/control/input-frame.tsx";
import { PasswordInput, type PasswordInputProps } from "../../../ui/control/password-input.tsx";
import { TextInput } from "../../../ui/control/text-input.tsx";
import classes from "./entry-fields.module.css";

interface EntryNoteProps {
  /** An error: shown in amber and announced at once. */
  isCaution?: boolean;
  sentence: string;
  /** Links to what to do next. */
  children?: ReactNode;
}

/** The outcome of an earlier step, shown above a form. Unlike a notification it does not disappear, because it may say what to do. */
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

/** A large text field, for the forms before sign-in. */
export const EntryText = (props: FramedInputProps) => <TextInput {...props} classNames={classes} />;

export const EntryEmail = (props: FramedInputProps) => (
  <EntryText label="Email" type="email" autoComplete="username" autoCapitalize="none" spellCheck={false} {...props} />
);

/** A large password field with the button that reveals it. */
export const EntryPassword = (props: PasswordInputProps) => (
  <PasswordInput {...props} classNames={classes} innerClass={classes.inner} />
);

/** A link or button within a line of text. */
export const entryLink = classes.link;

/** Alternatives to the form, below its button. */
export const EntryAlternatives = ({ children }: { children: ReactNode }) => (
  <div className={classes.ways}>{children}</div>
);
