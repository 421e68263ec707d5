import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { FramedInputProps } from "../ui/control/input-frame.tsx";
import { TextInput } from "../ui/control/text-input.tsx";
import classes from "./field.module.css";

/** Classes for any Mantine input: label above, error below. */
export const fieldClasses = {
  root: classes.root,
  label: classes.label,
  input: classes.input,
  error: classes.error,
  section: classes.section,
};

/** Classes for a field of several lines. */
export const areaClasses = { label: classes.label ?? "", input: classes.area ?? "", error: classes.error ?? "" };

/** An error below a field: amber with an icon; red is reserved for equipment. */
export const validationError = (sentence: string | undefined): ReactNode =>
  sentence && (
    <>
      <IconAlertTriangle size={16} aria-hidden />
      {sentence}
    </>
  );

type TextFieldProps = Omit<FramedInputProps, "error"> & { error?: string | undefined };

/** A single-line text field. */
export const TextField = ({ error, ...props }: TextFieldProps) => (
  <TextInput {...props} error={validationError(error)} classNames={fieldClasses} />
);
