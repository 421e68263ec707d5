import type { AlarmRow, GateChannel } from "@telltale/contract/domains/alarms";
import { AlarmCondition, isOverTime } from "@telltale/contract/domains/alerting/conditions";
import { type ReactNode, useState } from "react";
import { TextField } from "../../../form/text-field.tsx";
import type { CallForm } from "../../../form/use-call-form.ts";
import { GateFields } from "../fields/gate-fields.tsx";
import { Trial } from "./trial.tsx";
import classes from "./when-exactly.module.css";

interface Timing {
  onDelay: string;
  offDelay: string;
  times: string;
  /** Minutes. */
  window: string;
}

const timingOf = (initial: AlarmRow | undefined): Timing => ({
  onDelay: String(initial?.onDelay ?? 0),
  offDelay: String(initial?.offDelay ?? 0),
  times: String(initial?.times ?? 1),
  window: String((initial?.window ?? 0) / 60 || 60),
});

/** The timing in words, for the closed heading. */
const inWords = ({ onDelay, offDelay, times, window }: Timing, countsTimes: boolean): string =>
  [
    Number(onDelay) > 0 ? `raised after ${onDelay} s` : "raised at once",
    ...(countsTimes && Number(times) > 1 ? [`at ${times} times within ${window} min`] : []),
    Number(offDelay) > 0 ? `cleared when gone for ${offDelay} s` : "cleared at once",
  ].join(", ");

/** What must be so besides, for the closed heading. */
const gateInWords = (gate: GateChannel | undefined): string => (gate ? `only while ${gate.channelName}` : "always");

/** The fields of the fold: it opens where one of them has an error. */
const folded = ["onDelay", "offDelay", "times", "window", "gateChannelId", "gateType", "gateValue", "startUp"] as const;

interface RowProps {
  field: ReturnType<CallForm["field"]>;
  label: string;
  unit: string;
  value: string;
  onChange: (value: string) => void;
}

/** A number with what it means behind it. */
const Row = ({ field: { onInput, ...field }, label, unit, value, onChange }: RowProps) => (
  <div className={classes.row}>
    <TextField
      {...field}
      onInput={onInput}
      label={label}
      description={unit}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      inputMode="numeric"
      autoComplete="off"
    />
  </div>
);

interface WhenExactlyProps {
  form: CallForm;
  initial: AlarmRow | undefined;
  condition: AlarmCondition;
  /** What the alert depends on besides. */
  gate: Omit<Parameters<typeof GateFields>[0], "form" | "initial">;
  /** The fields of the form as a save sends them. */
  read: (fields: Record<string, FormDataEntryValue>) => Record<string, unknown>;
}

/** Delays and repetitions behind a folded heading that says them in words, and what they would have raised, which the form shows at its end. */
export const WhenExactly = ({ form, initial, condition, gate, read }: WhenExactlyProps): ReactNode => {
  const [timing, setTiming] = useState(() => timingOf(initial));
  const [isOpen, setOpen] = useState(false);
  const countsTimes = !isOverTime(condition);
  // What did not come for a time has waited already.
  const hasDelays = condition !== AlarmCondition.noData;
  const chosen = gate.channels?.find(({ deviceChannelId }) => deviceChannelId === gate.value);
  const change = (changed: Partial<Timing>) => setTiming((before) => ({ ...before, ...changed }));
  return (
    <>
      <details
        className={classes.fold}
        open={isOpen || folded.some((name) => form.errors[name] !== undefined)}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary>
          When exactly{" "}
          <small>{[...(hasDelays ? [inWords(timing, countsTimes)] : []), gateInWords(chosen)].join(", ")}</small>
        </summary>
        {hasDelays && (
          <div className={classes.rows}>
            <Row
              field={form.field("onDelay")}
              label="For at least"
              unit="seconds before it is raised"
              value={timing.onDelay}
              onChange={(onDelay) => change({ onDelay })}
            />
            <Row
              field={form.field("offDelay")}
              label="Until gone for"
              unit="seconds before it is cleared"
              value={timing.offDelay}
              onChange={(offDelay) => change({ offDelay })}
            />
            {countsTimes && (
              <>
                <Row
                  field={form.field("times")}
                  label="At least"
                  unit="times before it is raised"
                  value={timing.times}
                  onChange={(times) => change({ times })}
                />
                <Row
                  field={form.field("window")}
                  label="Within"
                  unit="minutes, when more than once"
                  value={timing.window}
                  onChange={(window) => change({ window })}
                />
              </>
            )}
          </div>
        )}
        <GateFields form={form} initial={initial} {...gate} />
      </details>
      <Trial read={read} onApply={(onDelay) => change({ onDelay })} />
    </>
  );
};
