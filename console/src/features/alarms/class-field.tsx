import { Select } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { complaint, fieldClasses } from "../../form/text-field.tsx";
import type { CallForm } from "../../form/use-call-form.ts";
import { classLabels, classMeanings } from "./alarm-words.ts";

const options = Object.entries(classLabels).map(([value, label]) => ({ value, label }));

interface ClassFieldProps {
  field: ReturnType<CallForm["field"]>;
  value: number | undefined;
  onChange: (alarmClass: number) => void;
}

/** What kind of alert it is: an owner's to choose, for everybody else it is a custom one. (spec 2 §6) */
export const ClassField = ({ field, value, onChange }: ClassFieldProps): ReactNode => (
  <Select
    data-field={field.name}
    label="Alert type"
    placeholder="Select an alert type"
    description={value === undefined ? undefined : classMeanings[value]}
    data={options}
    value={value === undefined ? null : String(value)}
    onChange={(chosen) => {
      field.onInput();
      onChange(Number(chosen));
    }}
    allowDeselect={false}
    error={complaint(field.error)}
    rightSection={<IconChevronDown size={18} aria-hidden />}
    rightSectionPointerEvents="none"
    classNames={fieldClasses}
  />
);
