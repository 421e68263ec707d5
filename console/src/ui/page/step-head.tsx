import classes from "./step-head.module.css";

interface StepHeadProps {
  steps: readonly string[];
  /** Index of the current step, from 0. */
  current: number;
}

/** The numbered steps of a wizard as equal tabs; completed ones get a tick. */
export const StepHead = ({ steps, current }: StepHeadProps) => (
  <ol className={classes.steps}>
    {steps.map((step, index) => (
      <li
        key={step}
        className={index < current ? classes.done : undefined}
        aria-current={index === current ? "step" : undefined}
      >
        <b>{index + 1}</b>
        {step}
        {index < current && (
          <svg width="14" height="14" viewBox="0 0 16 16" role="img" aria-label="done">
            <path
              d="M2.8 8.6 6.4 12.2 13.4 4.4"
              fill="none"
              stroke="currentColor"
              strokeWidth="1.9"
              strokeLinecap="square"
            />
          </svg>
        )}
      </li>
    ))}
  </ol>
);
