import { Checkbox } from "@mantine/core";
import { dashboards } from "@telltale/contract/dashboards";
import type { ReactNode } from "react";
import classes from "../../../form/pick-list.module.css";
import { useCall } from "../../../session/use-call.ts";
import { type Chosen, groupAsChosen, keyOfChosen } from "./chosen.ts";

interface GroupPickerProps {
  chosen: readonly Chosen[];
  onToggle: (one: Chosen) => void;
}

/** The groups of motor controllers' channels; nothing where there are none. */
export const GroupPicker = ({ chosen, onToggle }: GroupPickerProps): ReactNode => {
  const { data = [] } = useCall(dashboards.groups, {});
  const keys = new Set(chosen.map(keyOfChosen));
  if (data.length === 0) return null;
  return (
    <fieldset className={classes.picker}>
      <legend className={classes.legend}>Channel groups</legend>
      <ul className={classes.list}>
        {data.map(groupAsChosen).map((one) => (
          <li key={one.id}>
            <Checkbox
              checked={keys.has(keyOfChosen(one))}
              onChange={() => onToggle(one)}
              label={`${one.name}, ${one.deviceName}`}
            />
          </li>
        ))}
      </ul>
    </fieldset>
  );
};
