import { Panel } from "../../../ui/page/panel.tsx";
import classes from "./readings-skeleton.module.css";

/** The chart's grid without a line, while the readings load. */
export const StillGrid = () => (
  <div className={classes.grid} role="status" aria-label="Loading the chart">
    <div className={classes.plot} />
    <div className={classes.slider} />
  </div>
);

/** The panel of the readings before its channel is known. */
export const StillReadings = () => (
  <Panel className={classes.readings}>
    <StillGrid />
  </Panel>
);

/** The panel of the current value before its channel is known. */
export const StillValue = () => <Panel className={classes.value}>{null}</Panel>;
