import { CloseButton } from "@mantine/core";
import { TileKind } from "@telltale/contract/domains/dashboards";
import type { ReactNode } from "react";
import classes from "../../../form/pick-list.module.css";
import { type Chosen, keyOfChosen } from "./chosen.ts";

interface ChosenListProps {
  chosen: readonly Chosen[];
  onToggle: (one: Chosen) => void;
}

const besideName = ({ kind, deviceName }: Chosen): string =>
  kind === TileKind.modbus ? "Motor controller" : deviceName;

/** The selected tiles, each with a remove button. */
export const ChosenList = ({ chosen, onToggle }: ChosenListProps): ReactNode => {
  if (chosen.length === 0) return null;
  return (
    <section className={classes.picker} aria-label="Chosen tiles">
      <div className={classes.legend}>
        Chosen <small>{chosen.length}</small>
      </div>
      <ul className={classes.list}>
        {chosen.map((one) => (
          <li key={keyOfChosen(one)}>
            <span className={classes.one}>
              {one.name}
              <small>{besideName(one)}</small>
            </span>
            <CloseButton
              size="sm"
              aria-label={`Take off ${one.name}, ${one.deviceName}`}
              onClick={() => onToggle(one)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
};
