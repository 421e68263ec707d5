import { Panel } from "../../ui/panel.tsx";
import { StillGrid } from "./still-grid.tsx";
import classes from "./still-readings.module.css";

/** The panel of the readings before its channel is known. */
export const StillReadings = () => (
  <Panel className={classes.readings}>
    <StillGrid />
  </Panel>
);

/** The panel of the current value before its channel is known. */
export const StillValue = () => <Panel className={classes.value}>{null}</Panel>;
