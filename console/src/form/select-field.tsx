import { Select, type SelectProps } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { fieldClasses, validationError } from "./text-field.tsx";

interface SelectFieldProps extends Omit<SelectProps, "error" | "onInput"> {
  error?: string | undefined;
  /** Called with each choice, before `onChange`. */
  onInput?: (() => void) | undefined;
}

/** A choice from a list. A hidden field named `name` holds the value for the form; `data-field` names the visible one, which can be focused. */
export const SelectField = ({ error, onInput, onChange, ...props }: SelectFieldProps): ReactNode => (
  <Select
    allowDeselect={false}
    rightSection={<IconChevronDown size={18} aria-hidden />}
    rightSectionPointerEvents="none"
    classNames={fieldClasses}
    data-field={props.name}
    {...props}
    onChange={(value, option) => {
      onInput?.();
      onChange?.(value, option);
    }}
    error={validationError(error)}
  />
);
