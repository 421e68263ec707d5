import classes from "./mark.module.css";

interface MarkProps {
  size: number;
  /** Red instead of off-white: there are unconfirmed alerts. */
  isLit?: boolean;
  /** Neither: what there is is not known yet. */
  isUnknown?: boolean;
  /** Blinks for the first seconds after it was lit. */
  isNew?: boolean;
}

/** The logo: four annunciator windows whose lit ones form a T. In the bar it is the master lamp. */
export const Mark = ({ size, isLit = false, isUnknown = false, isNew = false }: MarkProps) => (
  <svg
    className={`${classes.mark} ${isLit ? classes.alarm : ""} ${isUnknown ? classes.unknown : ""} ${isNew ? classes.pulse : ""}`}
    width={size}
    height={size}
    viewBox="0 0 24 24"
    aria-hidden="true"
  >
    <rect className={classes.frame} width="24" height="24" rx="3" />
    <rect className={classes.lit} x="3" y="3" width="18" height="6" rx=".7" />
    <rect className={classes.dim} x="3" y="10.4" width="4.6" height="10.6" rx=".7" />
    <rect className={classes.lit} x="9" y="10.4" width="6" height="10.6" rx=".7" />
    <rect className={classes.dim} x="16.4" y="10.4" width="4.6" height="10.6" rx=".7" />
  </svg>
);
