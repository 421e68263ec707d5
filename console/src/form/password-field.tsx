import type { ReactNode } from "react";
import { PasswordInput, type PasswordInputProps } from "../ui/control/password-input.tsx";
import classes from "./field.module.css";
import { fieldClasses, validationError } from "./text-field.tsx";

type PasswordFieldProps = Omit<PasswordInputProps, "error"> & { error?: string | undefined };

/** A password field with the button that reveals it. */
export const PasswordField = ({ error, ...props }: PasswordFieldProps): ReactNode => (
  <PasswordInput {...props} error={validationError(error)} classNames={fieldClasses} innerClass={classes.inner} />
);
