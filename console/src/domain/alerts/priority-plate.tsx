import { type AlertPriority, alertPriorityLabels } from "@telltale/contract/domains/alerts";
import classes from "./priority-plate.module.css";

/** A priority, told by shape and label and never by hue: a solid hexagon, a box, an underline. Read aloud as 'Priority 1'. */
export const PriorityPlate = ({ priority }: { priority: AlertPriority }) => (
  <span className={classes.plate} data-priority={priority} role="img" aria-label={`Priority ${priority}`}>
    {alertPriorityLabels[priority]}
  </span>
);
