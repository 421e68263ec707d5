import { Select } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { fieldClasses, validationError } from "../../../form/text-field.tsx";
import { IconButton } from "../../../ui/control/icon-button.tsx";
import { TextInput } from "../../../ui/control/text-input.tsx";
import classes from "./roster-dialog.module.css";
import type { DraftShift } from "./roster-draft.ts";

const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** Somebody who can be on call. */
export interface OnCallPerson {
  id: number;
  name: string;
}

interface ShiftFieldsProps {
  shift: DraftShift;
  number: number;
  people: readonly OnCallPerson[];
  errors: Readonly<Record<string, string>>;
  onChange: (shift: DraftShift) => void;
  onRemove: () => void;
}

/** A shift: on which days it begins, from when to when, and whose it is. */
export const ShiftFields = (props: ShiftFieldsProps): ReactNode => {
  const { shift, number, people, errors, onChange, onRemove } = props;
  const at = `shifts.${number - 1}`;
  const wrong = errors[`${at}.days`] ?? errors[`${at}.from`] ?? errors[`${at}.to`] ?? errors[`${at}.accountId`];
  const toggle = (day: number) =>
    onChange({
      ...shift,
      days: shift.days.includes(day) ? shift.days.filter((each) => each !== day) : [...shift.days, day],
    });
  return (
    <fieldset className={classes.shift}>
      <legend>{`Shift ${number}`}</legend>
      <div className={classes.days}>
        {weekdays.map((name, index) => (
          <label key={name} data-chosen={shift.days.includes(index + 1) || undefined}>
            <input
              type="checkbox"
              aria-label={name}
              checked={shift.days.includes(index + 1)}
              onChange={() => toggle(index + 1)}
            />
            {name}
          </label>
        ))}
      </div>
      <div className={classes.times}>
        <TextInput
          type="time"
          label="From"
          value={shift.from}
          onChange={({ currentTarget }) => onChange({ ...shift, from: currentTarget.value })}
          error={errors[`${at}.from`] !== undefined}
          classNames={fieldClasses}
        />
        <TextInput
          type="time"
          label="To"
          value={shift.to}
          onChange={({ currentTarget }) => onChange({ ...shift, to: currentTarget.value })}
          error={errors[`${at}.to`] !== undefined}
          classNames={fieldClasses}
        />
        <Select
          label="On call"
          placeholder="User"
          data={people.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={people.some(({ id }) => id === shift.accountId) ? String(shift.accountId) : null}
          onChange={(id) => onChange({ ...shift, accountId: id === null ? undefined : Number(id) })}
          searchable
          allowDeselect={false}
          error={errors[`${at}.accountId`] !== undefined}
          classNames={fieldClasses}
        />
        <IconButton aria-label={`Remove shift ${number}`} onClick={onRemove}>
          <IconX size={15} aria-hidden />
        </IconButton>
      </div>
      {wrong && (
        <p className={classes.wrong} role="alert">
          {validationError(wrong)}
        </p>
      )}
    </fieldset>
  );
};
