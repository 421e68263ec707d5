import { Switch } from "@mantine/core";
import { type ReactNode, useState } from "react";
import classes from "./switch-field.module.css";

interface SwitchFieldProps {
  name: string;
  label: string;
  isOn: boolean;
}

/** A switch whose choice a hidden field holds for the form, as 1 or 0. */
export const SwitchField = ({ name, label, isOn }: SwitchFieldProps) => {
  const [checked, setChecked] = useState(isOn);
  return (
    <>
      <input type="hidden" name={name} value={checked ? "1" : "0"} />
      <Switch label={label} checked={checked} onChange={(event) => setChecked(event.currentTarget.checked)} />
    </>
  );
};

/** Switches side by side, below the other fields of a form. */
export const SwitchRow = ({ children }: { children: ReactNode }) => <div className={classes.row}>{children}</div>;
