import { StepHead } from "../../../ui/page/step-head.tsx";
import classes from "./second-factor.module.css";

/** The steps of turning two-step sign-in on. */
export const Steps = ({ current }: { current: number }) => (
  <div className={classes.steps}>
    <StepHead steps={["Password", "App", "Codes"]} current={current} />
  </div>
);
