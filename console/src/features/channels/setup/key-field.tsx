import { Checkbox, NativeSelect } from "@mantine/core";
import { alarmPairs, type Key } from "@telltale/contract/channel-types/keys";
import type { ReactNode } from "react";
import { fieldClasses, TextField, validationError } from "../../../form/text-field.tsx";
import { missing } from "../../../ui/format/time.ts";
import type { ConcurrentSave, Draft } from "./drafts.ts";
import { type Option, unitOf, valueText } from "./fields.ts";
import classes from "./key-field.module.css";

export interface KeyFieldProps {
  name: Key;
  /** Content of the field; null: deliberately empty. */
  draft: Draft;
  /** The saved value, shown while the field differs from it. */
  saved: Draft | undefined;
  /** What another user has saved since editing began. */
  theirs: ConcurrentSave | undefined;
  options: readonly Option[] | undefined;
  /** UNIT of the channel. */
  unit: string;
  isDisabled: boolean;
  error: string | undefined;
  onChange: (draft: Draft) => void;
  /** Turns the alarm on or off, for an alarm's fields. */
  onAlarm: (isOn: boolean) => void;
}

/** The previous value, while it differs; and another user's saved value. */
const noteOf = ({ name, draft, saved, theirs, options, unit }: KeyFieldProps): ReactNode => {
  const words = (text: Draft) => valueText(name, text, options, unit);
  if (theirs) return `Saved meanwhile: ${words(theirs.now)}, before that ${words(theirs.before)}`;
  return saved === undefined || saved === draft ? undefined : `Was ${words(saved)}`;
};

const Choice = (props: KeyFieldProps & { shared: object }) => {
  const { draft, options = [], shared, onChange } = props;
  const isKnown = options.some(({ value }) => value === draft);
  return (
    <NativeSelect
      {...shared}
      error={validationError(props.error)}
      classNames={fieldClasses}
      data={[
        ...(isKnown ? [] : [{ value: draft ?? "", label: draft || (props.isDisabled ? missing : "Please select") }]),
        ...options,
      ]}
      value={draft ?? ""}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
};

const Typed = (props: KeyFieldProps & { shared: object }) => {
  const { name, draft, unit, shared, error, onChange } = props;
  const shownUnit = unitOf(name, unit);
  return (
    <TextField
      {...shared}
      error={error}
      value={draft ?? ""}
      onChange={(event) => onChange(event.currentTarget.value)}
      inputMode={shownUnit === "" ? "text" : "decimal"}
      autoComplete="off"
      rightSection={shownUnit && <span className={classes.unit}>{shownUnit}</span>}
      rightSectionWidth={shownUnit.length * 8 + 16}
      rightSectionPointerEvents="none"
    />
  );
};

/** The label of an alarm is a toggle; that of any other setting is plain text. */
const labelOf = ({ name, draft, isDisabled, onAlarm }: KeyFieldProps, isAlarm: boolean): object =>
  isAlarm
    ? {
        label: (
          <Checkbox
            className={classes.alarm}
            size="xs"
            label={name}
            checked={draft !== null}
            disabled={isDisabled}
            onChange={(event) => onAlarm(event.currentTarget.checked)}
          />
        ),
        labelElement: "div",
        "aria-label": name,
      }
    : { label: name };

/** One setting of a channel: a select or a text field. */
export const KeyField = (props: KeyFieldProps): ReactNode => {
  const { name, draft, options, isDisabled, theirs } = props;
  const pair = alarmPairs.find(({ alarm, hysteresis }) => name === alarm || name === hysteresis);
  const note = noteOf(props);
  const shared = {
    ...labelOf(props, pair?.alarm === name),
    description: note,
    inputWrapperOrder: ["label", "input", "description", "error"] as const,
    disabled: isDisabled || (pair !== undefined && draft === null),
    "data-field": name,
  };
  const state = theirs ? "theirs" : note === undefined ? undefined : "changed";
  return (
    <div className={classes.field} data-state={state}>
      {options ? <Choice {...props} shared={shared} /> : <Typed {...props} shared={shared} />}
    </div>
  );
};
