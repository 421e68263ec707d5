import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { IconEye, IconEyeOff } from "@tabler/icons-react";
import classes from "./field.module.css";
import { fieldClasses, validationError } from "./text-field.tsx";

/** The button that reveals a password; reachable by keyboard. */
export const passwordEye: PasswordInputProps = {
  visibilityToggleIcon: ({ reveal }) =>
    reveal ? <IconEye size={18} aria-hidden /> : <IconEyeOff size={18} aria-hidden />,
  visibilityToggleButtonProps: { "aria-label": "Show password", tabIndex: 0 },
};

type PasswordFieldProps = Omit<PasswordInputProps, "error"> & { error?: string | undefined };

/** A password field with the button that reveals it. */
export const PasswordField = ({ error, ...props }: PasswordFieldProps) => (
  <PasswordInput
    {...passwordEye}
    {...props}
    error={validationError(error)}
    classNames={{ ...fieldClasses, innerInput: classes.inner }}
  />
);
