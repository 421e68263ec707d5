import { Select } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { industries } from "@telltale/contract/profile";
import classes from "./entry-fields.module.css";
import type { EntryForm } from "./use-entry-form.ts";

const offered = industries.map((industry) => ({ value: industry, label: industry }));

/** What a company does: chosen from the list, found by typing. */
export const IndustryField = ({ field: { name, error, onInput } }: { field: ReturnType<EntryForm["field"]> }) => (
  <Select
    name={name}
    // The value is in a hidden field of that name; this is the one that can have the focus.
    data-field={name}
    label="Industry"
    placeholder="Choose or type"
    data={offered}
    error={error}
    onChange={onInput}
    searchable
    openOnFocus={false}
    nothingFoundMessage="No such industry; Other is the last of the list"
    // The list itself scrolls, by the arrow keys of the field, and stands in the page's main part.
    withScrollArea={false}
    comboboxProps={{ withinPortal: false }}
    rightSection={<IconChevronDown size={18} aria-hidden />}
    rightSectionPointerEvents="none"
    autoComplete="off"
    classNames={classes}
  />
);
