import { Switch } from "@mantine/core";
import { useState } from "react";
import classes from "./contact-dialog.module.css";

/** Whether the contact may confirm alerts by the link in its messages; others see the alert only. */
export const MayConfirmField = ({ isOn }: { isOn: boolean }) => {
  const [checked, setChecked] = useState(isOn);
  return (
    <>
      <input type="hidden" name="mayConfirm" value={checked ? "1" : "0"} />
      <Switch
        className={classes.may ?? ""}
        label="May confirm"
        description="By the link in its messages, without signing in. Otherwise it only sees the alert"
        checked={checked}
        onChange={(event) => setChecked(event.currentTarget.checked)}
      />
    </>
  );
};
