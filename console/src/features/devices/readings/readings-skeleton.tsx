import { Panel } from "../../../ui/page/panel.tsx";
import classes from "./readings-skeleton.module.css";

/** The chart's grid without a line, while the readings load. */
export const ChartSkeleton = () => (
  <div className={classes.grid} role="status" aria-label="Loading the chart">
    <div className={classes.plot} />
    <div className={classes.slider} />
  </div>
);

/** Placeholder of the readings panel before its channel is known. */
export const ReadingsSkeleton = () => (
  <Panel className={classes.readings}>
    <ChartSkeleton />
  </Panel>
);

/** Placeholder of the current value's panel before its channel is known. */
export const CurrentValueSkeleton = () => <Panel className={classes.value}>{null}</Panel>;
