import { Select } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { type ContactType, contactTypeLabels } from "@telltale/contract/contacts";
import { complaint, fieldClasses } from "../../form/text-field.tsx";

const options = Object.entries(contactTypeLabels).map(([value, label]) => ({ value, label }));

interface TypeFieldProps {
  field: { name: string; error: string | undefined; onInput: () => void };
  value: ContactType;
  onChange: (type: ContactType) => void;
}

/** How the contact is reached. */
export const TypeField = ({ field: { name, error, onInput }, value, onChange }: TypeFieldProps) => (
  <Select
    name={name}
    // The value is in a hidden field of that name; this is the one that can have the focus.
    data-field={name}
    label="Type"
    data={options}
    value={String(value)}
    onChange={(chosen) => {
      onInput();
      onChange(Number(chosen) as ContactType);
    }}
    allowDeselect={false}
    error={complaint(error)}
    rightSection={<IconChevronDown size={18} aria-hidden />}
    rightSectionPointerEvents="none"
    classNames={fieldClasses}
  />
);
