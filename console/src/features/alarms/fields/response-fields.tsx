import { Switch, Textarea } from "@mantine/core";
import { longestResponse } from "@telltale/contract/domains/alarms";
import { type ReactNode, useState } from "react";
import { areaClasses, fieldClasses } from "../../../form/text-field.tsx";
import classes from "../alarm-form.module.css";

const enabledMeanings = {
  custom: { on: "It raises alerts and notifies", off: "Switched off: it raises nothing and notifies nobody" },
  system: {
    on: "It notifies of what the device raises",
    off: "Switched off: nobody is notified of what the device raises",
  },
} as const;

interface EnabledFieldProps {
  isEnabled: boolean;
  /** Of a custom alert; others are about what a device raises itself. */
  isCustom: boolean;
}

/** Whether the alert is raised and notifies. Switched off it keeps everything else. */
export const EnabledField = ({ isEnabled, isCustom }: EnabledFieldProps): ReactNode => {
  const [isOn, setOn] = useState(isEnabled);
  const meanings = enabledMeanings[isCustom ? "custom" : "system"];
  return (
    <Switch
      className={classes.enabled}
      name="enabled"
      label="Enabled"
      description={isOn ? meanings.on : meanings.off}
      checked={isOn}
      onChange={({ currentTarget }) => setOn(currentTarget.checked)}
    />
  );
};

/** What to do when it is raised; its lines are shown as they are typed. */
export const ResponseField = ({ initial }: { initial: string }): ReactNode => {
  const [text, setText] = useState(initial);
  return (
    <Textarea
      name="response"
      label={
        <>
          What to do{" "}
          <small className={classes.count}>
            {text.length} of {longestResponse}
          </small>
        </>
      }
      description="Leads the mail and the alert's page. One step a line"
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      maxLength={longestResponse}
      autosize
      minRows={3}
      maxRows={8}
      classNames={{
        root: fieldClasses.root,
        label: `${fieldClasses.label} ${classes.wideLabel}`,
        input: areaClasses.input,
      }}
    />
  );
};
