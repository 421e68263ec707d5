import { Checkbox } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import classes from "./chart-options.module.css";

interface ChartKeysProps {
  hasHeld: boolean;
  hasGaps: boolean;
}

/** What the signs of a chart mean, as far as it has them. */
export const ChartKeys = ({ hasHeld, hasGaps }: ChartKeysProps) => (
  <>
    {hasHeld && (
      <span className={classes.key}>
        <svg width="26" height="12" aria-hidden="true">
          <path d="M1 10H18V2H25" className={classes.step} />
        </svg>
        held value
      </span>
    )}
    {hasGaps && (
      <span className={classes.key}>
        <i className={classes.hatch} />
        no data
      </span>
    )}
  </>
);

interface ChartOptionsProps extends ChartKeysProps {
  /** Whether the value axis includes the limits; undefined where there are none. */
  isIncluding: boolean | undefined;
  onInclude: (isIncluding: boolean) => void;
  onDownload: () => void;
  /** What is in view, which paper says: there the fields are missing that say it on the screen. */
  period: string;
}

/** What the chart's signs mean, whether it includes the limits, and what it shows as a file. */
export const ChartOptions = ({ isIncluding, onInclude, hasHeld, hasGaps, onDownload, period }: ChartOptionsProps) => (
  <div className={classes.options}>
    <b className={classes.period}>{period}</b>
    <ChartKeys hasHeld={hasHeld} hasGaps={hasGaps} />
    {isIncluding !== undefined && (
      <Checkbox
        size="xs"
        className={classes.include}
        label="Include limits"
        checked={isIncluding}
        onChange={(event) => onInclude(event.currentTarget.checked)}
      />
    )}
    <button type="button" className={classes.download} aria-label="Download what is shown" onClick={onDownload}>
      <IconDownload size={17} stroke={1.7} aria-hidden />
    </button>
  </div>
);
