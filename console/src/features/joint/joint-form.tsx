import { Radio, Switch } from "@mantine/core";
import type { Input } from "@telltale/contract/call/call";
import { JointEnding, type JointRow, joint, OutputLevel, oppositeLevel } from "@telltale/contract/domains/joint";
import { type ReactNode, useState } from "react";
import { TextField } from "../../form/text-field.tsx";
import { useCallForm } from "../../form/use-call-form.ts";
import { Button } from "../../ui/control/button.tsx";
import { Link } from "../../ui/router/link.tsx";
import classes from "./joint.module.css";
import { OutputPicker, SourcePicker } from "./joint-pickers.tsx";
import { levelLabel, ruleSentence } from "./joint-text.ts";

interface OptionsProps<T extends number> {
  legend: string;
  name: string;
  options: readonly { value: T; label: string }[];
  value: T;
  onChange: (value: T) => void;
}

const Options = <T extends number>({ legend, name, options, value, onChange }: OptionsProps<T>) => (
  <fieldset className={classes.group}>
    <legend>{legend}</legend>
    <div>
      {options.map((option) => (
        <Radio
          key={option.value}
          name={name}
          value={String(option.value)}
          label={option.label}
          checked={option.value === value}
          onChange={() => onChange(option.value)}
        />
      ))}
    </div>
  </fieldset>
);

const levels = [OutputLevel.on, OutputLevel.off].map((value) => ({ value, label: levelLabel(value) }));

/** The selected values; the name is held by the form itself. */
const useChoices = (initial: JointRow | undefined) => {
  const [source, setSource] = useState<JointRow["source"] | undefined>(initial?.source);
  const [output, setOutput] = useState<Omit<JointRow["output"], "value" | "status"> | undefined>(initial?.output);
  const [level, setLevel] = useState<OutputLevel>(initial?.level ?? OutputLevel.on);
  const [ending, setEnding] = useState<JointEnding>(initial?.ending ?? JointEnding.back);
  const [enabled, setEnabled] = useState(initial?.enabled ?? true);
  return { source, setSource, output, setOutput, level, setLevel, ending, setEnding, enabled, setEnabled };
};

const fieldsOf = ({ source, output, level, ending, enabled }: ReturnType<typeof useChoices>) => ({
  ...(source?.alarmId === null
    ? { sourceChannelId: source.deviceChannelId, alarmType: source.alarmType }
    : source && { alarmId: source.alarmId }),
  outputChannelId: output?.deviceChannelId,
  level,
  ending,
  enabled,
});

interface JointFormProps {
  /** Undefined for a new one. */
  initial: JointRow | undefined;
  isBusy: boolean;
  onSave: (fields: Input<typeof joint.edit>) => void;
}

/** Source, output and ending of a joint control. */
export const JointForm = ({ initial, isBusy, onSave }: JointFormProps): ReactNode => {
  const choices = useChoices(initial);
  const { source, output, level, ending, enabled } = choices;
  const form = useCallForm(joint.edit, onSave, ({ name }) => ({ name, ...fieldsOf(choices) }));
  const [sourceField, outputField] = [form.field("sourceChannelId"), form.field("outputChannelId")];
  const chooseSource = (row: JointRow["source"]) => {
    choices.setSource(row);
    sourceField.onInput();
  };
  const chooseOutput = (row: NonNullable<typeof output>) => {
    choices.setOutput(row);
    outputField.onInput();
  };
  return (
    <form {...form.props} className={classes.form}>
      <div className={`${classes.whole} ${classes.half}`}>
        <TextField
          {...form.field("name")}
          label="Name"
          defaultValue={initial?.name ?? ""}
          autoComplete="off"
          maxLength={64}
        />
      </div>
      <SourcePicker chosen={source} onChoose={chooseSource} error={sourceField.error} />
      <OutputPicker chosen={output} onChoose={chooseOutput} error={outputField.error} editedName={initial?.name} />
      <Options legend="to" name="level" options={levels} value={level} onChange={choices.setLevel} />
      <Options
        legend="and when the alert has ended"
        name="ending"
        options={[
          { value: JointEnding.back, label: `back to ${levelLabel(oppositeLevel(level))}` },
          { value: JointEnding.stay, label: `leave it ${levelLabel(level)}` },
        ]}
        value={ending}
        onChange={choices.setEnding}
      />
      {source && output && <p className={classes.sentence}>{ruleSentence({ source, output, level, ending })}</p>}
      <p className={`${classes.whole} ${classes.note}`}>
        An output with its own Mode and Source also follows those: it is ON while either they or this joint control
        switch it ON.
      </p>
      <Switch
        className={`${classes.whole} ${classes.group}`}
        label="Enabled"
        checked={enabled}
        onChange={(event) => choices.setEnabled(event.currentTarget.checked)}
      />
      <div className={classes.buttons}>
        <Button type="submit" loading={isBusy}>
          Save
        </Button>
        <Button component={Link} to="/joint" leaves variant="default">
          Cancel
        </Button>
      </div>
    </form>
  );
};
