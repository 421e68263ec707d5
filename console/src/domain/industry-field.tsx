import { Select, type SelectProps } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { industries } from "@telltale/contract/domains/people/profile";

interface IndustryFieldProps extends Pick<SelectProps, "defaultValue" | "error" | "classNames"> {
  name: string;
  /** Called when another one is chosen. */
  onInput: () => void;
}

/** What a company does: chosen from the list, found by typing. */
export const IndustryField = ({ name, onInput, ...props }: IndustryFieldProps) => (
  <Select
    {...props}
    name={name}
    // The value is in a hidden field of that name; this is the one that can have the focus.
    data-field={name}
    label="Industry"
    placeholder="Choose or type"
    data={industries}
    onChange={onInput}
    searchable
    openOnFocus={false}
    allowDeselect={false}
    nothingFoundMessage="No such industry; Other is the last of the list"
    rightSection={<IconChevronDown size={18} aria-hidden />}
    rightSectionPointerEvents="none"
    autoComplete="off"
  />
);
