import { Select } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import type { AlarmChannel, AlarmRow } from "@telltale/contract/domains/alarms";
import type { ReactNode } from "react";
import { fieldClasses, TextField, validationError } from "../../form/text-field.tsx";
import type { CallForm } from "../../form/use-call-form.ts";
import classes from "./alarm-form.module.css";
import { rangeText, typeLabels } from "./alarm-text.ts";

const types = Object.entries(typeLabels).map(([value, label]) => ({ value, label }));

interface LimitFieldsProps {
  form: CallForm;
  initial: AlarmRow | undefined;
  /** The selected channel, whose range and unit apply to the limit. */
  channel: AlarmChannel | undefined;
}

const figure = (value: number | null | undefined): string =>
  value === null || value === undefined ? "" : String(value);

/** High or Low, the value, and the hysteresis. */
export const LimitFields = ({ form, initial, channel }: LimitFieldsProps): ReactNode => {
  const type = form.field("type");
  const range = channel && rangeText(channel);
  return (
    <div className={classes.limit}>
      <Select
        name={type.name}
        // A hidden field with that name holds the value; this visible input can be focused.
        data-field={type.name}
        label="Threshold type"
        description="Raised above or below"
        placeholder="High or Low"
        data={types}
        defaultValue={initial?.type ? String(initial.type) : null}
        onChange={type.onInput}
        allowDeselect={false}
        error={validationError(type.error)}
        rightSection={<IconChevronDown size={18} aria-hidden />}
        rightSectionPointerEvents="none"
        classNames={fieldClasses}
      />
      <TextField
        {...form.field("alarmValue")}
        label="Value"
        description={range || "A number"}
        defaultValue={figure(initial?.alarmValue)}
        inputMode="decimal"
        autoComplete="off"
        rightSection={channel?.unit ? <span className={classes.unit}>{channel.unit}</span> : null}
        rightSectionWidth={64}
        rightSectionPointerEvents="none"
      />
      <TextField
        {...form.field("alarmHysteresis")}
        label="Hysteresis"
        description="Way back until it clears"
        defaultValue={figure(initial?.alarmHysteresis)}
        inputMode="decimal"
        autoComplete="off"
        rightSection={channel?.unit ? <span className={classes.unit}>{channel.unit}</span> : null}
        rightSectionWidth={64}
        rightSectionPointerEvents="none"
      />
    </div>
  );
};
