import classes from "./line-sign.module.css";

/** Patterns of the lines by place: told apart without colour. */
export const patterns = ["", "8 3", "2.5 3", "10 3 2 3"] as const;

/** A line's sign: its colour and its pattern. */
export const LineSign = ({ place }: { place: number }) => (
  <svg className={classes.sign} data-place={place} width="28" height="8" aria-hidden="true">
    <path d="M1 4H27" strokeDasharray={patterns[place]} />
  </svg>
);
