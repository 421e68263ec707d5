import type { AlarmChannel, AlarmRow } from "@telltale/contract/domains/alarms";
import {
  AlarmCondition,
  alarmConditionLabels,
  hasHysteresis,
  hasValue,
  isOverTime,
} from "@telltale/contract/domains/alerting/conditions";
import type { ReactNode } from "react";
import { ChoiceRow } from "../../../form/choice-row.tsx";
import { SelectField } from "../../../form/select-field.tsx";
import { TextField } from "../../../form/text-field.tsx";
import type { CallForm } from "../../../form/use-call-form.ts";
import classes from "../alarm-form.module.css";
import { conditionMeanings, rangeText, typeLabels } from "../alarm-text.ts";

const types = Object.entries(typeLabels).map(([value, label]) => ({ value, label }));
const conditions = Object.entries(alarmConditionLabels).map(([value, label]) => ({ value, label }));

interface ConditionFieldsProps {
  form: CallForm;
  initial: AlarmRow | undefined;
  /** The selected channel, whose range and unit apply to the limit. */
  channel: AlarmChannel | undefined;
  condition: AlarmCondition;
  onCondition: (condition: AlarmCondition) => void;
}

const figure = (value: number | null | undefined): string =>
  value === null || value === undefined ? "" : String(value);

interface NumberFieldProps {
  field: ReturnType<CallForm["field"]>;
  label: string;
  description: string;
  value: string;
  unit: string | undefined;
}

const NumberField = ({ field, label, description, value, unit }: NumberFieldProps) => (
  <TextField
    {...field}
    label={label}
    description={description}
    defaultValue={value}
    inputMode="decimal"
    autoComplete="off"
    rightSection={unit ? <span className={classes.unit}>{unit}</span> : null}
    rightSectionWidth={64}
    rightSectionPointerEvents="none"
  />
);

const isCondition = (value: number): value is AlarmCondition => value in alarmConditionLabels;

const stretchLabels: Partial<Record<AlarmCondition, string>> = {
  [AlarmCondition.rate]: "Measured over",
  [AlarmCondition.noChange]: "Unchanged for",
  [AlarmCondition.noData]: "Nothing for",
};

const hysteresisMeanings: Partial<Record<AlarmCondition, string>> = {
  [AlarmCondition.noChange]: "Smaller changes do not count",
};

/** What the alert is about: a limit with its hysteresis, a rate, no change, no data or a sensor fault; each with the fields that it has. */
export const ConditionFields = ({
  form,
  initial,
  channel,
  condition,
  onCondition,
}: ConditionFieldsProps): ReactNode => {
  const type = form.field("type");
  const range = channel && rangeText(channel);
  const isRate = condition === AlarmCondition.rate;
  const unit = channel?.unit && isRate ? `${channel.unit}/min` : channel?.unit;
  return (
    <>
      <div className={classes.condition}>
        <ChoiceRow
          label="Condition"
          options={conditions}
          value={String(condition)}
          onChange={(chosen) => {
            const value = Number(chosen);
            if (isCondition(value)) onCondition(value);
          }}
        />
        <p>{conditionMeanings[condition]}</p>
      </div>
      <div className={classes.limit}>
        {hasValue(condition) && (
          <>
            <SelectField
              {...type}
              label="Threshold type"
              description={isRate ? "Rises or falls" : "Raised above or below"}
              placeholder="High or Low"
              data={types}
              defaultValue={initial?.type ? String(initial.type) : null}
            />
            <NumberField
              field={form.field("alarmValue")}
              label="Value"
              description={isRate ? "Change in a minute" : range || "A number"}
              value={figure(initial?.alarmValue)}
              unit={unit}
            />
          </>
        )}
        {hasHysteresis(condition) && (
          <NumberField
            field={form.field("alarmHysteresis")}
            label="Hysteresis"
            description={hysteresisMeanings[condition] ?? "Way back until it clears"}
            value={figure(initial?.alarmHysteresis)}
            unit={unit}
          />
        )}
        {isOverTime(condition) && (
          <NumberField
            field={form.field("window")}
            label={stretchLabels[condition] ?? ""}
            description="1 minute to 7 days"
            value={figure((initial?.window ?? 0) / 60 || 10)}
            unit="min"
          />
        )}
      </div>
    </>
  );
};
