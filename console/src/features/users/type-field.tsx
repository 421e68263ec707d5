import { Select } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { fieldClasses, validationError } from "../../form/text-field.tsx";
import { typeLabels } from "./user-types.ts";

const options = Object.entries(typeLabels).map(([value, label]) => ({ value, label }));

interface TypeFieldProps {
  field: { name: string; error?: string | undefined; onInput?: () => void };
  /** The initial selection. */
  initial: number | undefined;
  isFixed?: boolean;
  description?: string;
}

/** The user type. */
export const TypeField = ({ field: { name, error, onInput }, initial, isFixed, description }: TypeFieldProps) => (
  <Select
    name={name}
    // A hidden field with that name holds the value; this visible input can be focused.
    data-field={name}
    label="Type"
    placeholder="Select a type"
    description={description}
    data={options}
    defaultValue={initial === undefined ? null : String(initial)}
    onChange={onInput}
    disabled={isFixed ?? false}
    allowDeselect={false}
    error={validationError(error)}
    rightSection={<IconChevronDown size={18} aria-hidden />}
    rightSectionPointerEvents="none"
    classNames={fieldClasses}
  />
);
