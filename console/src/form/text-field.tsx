import { TextInput, type TextInputProps } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./field.module.css";

/** The look of an input with its label above and what is wrong with it below, for any Mantine input. */
export const fieldClasses = {
  root: classes.root,
  label: classes.label,
  input: classes.input,
  error: classes.error,
  section: classes.section,
};

/** A complaint under a field: amber, with its sign; red belongs to equipment. */
export const validationError = (sentence: string | undefined): ReactNode =>
  sentence && (
    <>
      <IconAlertTriangle size={16} aria-hidden />
      {sentence}
    </>
  );

type TextFieldProps = Omit<TextInputProps, "error"> & { error?: string | undefined };

/** One line of text in a form. */
export const TextField = ({ error, ...props }: TextFieldProps) => (
  <TextInput {...props} error={validationError(error)} classNames={fieldClasses} />
);
