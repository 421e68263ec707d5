import { TileKind } from "@telltale/contract/domains/dashboards";
import type { ReactNode } from "react";
import classes from "../../../form/pick-list.module.css";
import { CloseButton } from "../../../ui/control/close-button.tsx";
import { type SelectedTile, tileKey } from "./selected-tiles.ts";

interface SelectedTileListProps {
  chosen: readonly SelectedTile[];
  onToggle: (one: SelectedTile) => void;
}

const besideName = ({ kind, deviceName }: SelectedTile): string =>
  kind === TileKind.modbus ? "Motor controller" : deviceName;

/** The selected tiles, each with a remove button. */
export const SelectedTileList = ({ chosen, onToggle }: SelectedTileListProps): ReactNode => {
  if (chosen.length === 0) return null;
  return (
    <section className={classes.picker} aria-label="Chosen tiles">
      <div className={classes.legend}>
        Chosen <small>{chosen.length}</small>
      </div>
      <ul className={classes.list}>
        {chosen.map((one) => (
          <li key={tileKey(one)}>
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
