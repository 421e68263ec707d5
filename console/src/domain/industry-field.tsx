import { Select, type SelectProps } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { industries } from "@telltale/contract/domains/people/profile";

interface IndustryFieldProps extends Pick<SelectProps, "defaultValue" | "error" | "classNames"> {
  name: string;
  /** Called when the selection changes. */
  onInput: () => void;
}

/** Industry of a company: a searchable select. */
export const IndustryField = ({ name, onInput, ...props }: IndustryFieldProps) => (
  <Select
    {...props}
    name={name}
    // A hidden field with that name holds the value; this visible input can be focused.
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
