import classes from "./still-grid.module.css";

/** The chart's grid without a line, while the readings load. */
export const StillGrid = () => (
  <div className={classes.grid} role="status" aria-label="Loading the chart">
    <div className={classes.plot} />
    <div className={classes.slider} />
  </div>
);
