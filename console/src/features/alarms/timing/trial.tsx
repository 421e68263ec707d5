import { IconAlertTriangle } from "@tabler/icons-react";
import { mostTrialDays } from "@telltale/contract/domains/alerting/trial";
import { type ReactNode, use, useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { Button } from "../../../ui/control/button.tsx";
import { Loader } from "../../../ui/control/loader.tsx";
import { Segments } from "../../../ui/segments.tsx";
import type { Typed } from "../alarm-fields.ts";
import classes from "./trial.module.css";
import { TrialPlaceContext } from "./trial-place.ts";
import { TrialResult } from "./trial-result.tsx";
import { type RunningTrial, useTrial } from "./use-trial.ts";

const fewDays = 7;
const lengths = [fewDays, mostTrialDays].map((days) => ({ value: days, label: `${days} days` }));

interface TrialProps {
  read: (fields: Typed) => Record<string, unknown>;
  onApply: (onDelay: string) => void;
}

/** The part of an address by which a link leads to the trial. */
const tryLink = "#try";

interface StateProps {
  running: RunningTrial;
  days: number;
  onDays: (days: number) => void;
}

/** What is said while there is no result. */
const State = ({ running: { error, isRunning, retry }, days, onDays }: StateProps) => {
  if (isRunning)
    return (
      <p className={classes.sentence} role="status">
        <Loader size={16} aria-hidden /> Trying it on the last {days} days
      </p>
    );
  if (error)
    return (
      <p className={classes.fault} role="alert">
        <IconAlertTriangle size={16} aria-hidden />
        <span>{error.message}</span>
        <Button size="compact-sm" variant="default" onClick={() => (days > fewDays ? onDays(fewDays) : retry())}>
          {days > fewDays ? `Try ${fewDays} days` : "Try again"}
        </Button>
      </p>
    );
  return (
    <p className={classes.sentence}>
      <span>As soon as channel and condition are complete, this tells what the alert would have raised.</span>
    </p>
  );
};

const TrialPanel = ({ element, read, onApply }: TrialProps & { element: HTMLElement }) => {
  const [days, setDays] = useState(mostTrialDays);
  const running = useTrial(element, read, days);
  const { finished, isRunning } = running;
  useEffect(() => {
    if (location.hash === tryLink) element.scrollIntoView({ block: "end" });
  }, [element]);
  const choice = <Segments label="Days to try it on" options={lengths} value={days} onChange={setDays} />;
  return (
    <section className={classes.trial} aria-label="Try it" aria-busy={isRunning}>
      {finished ? (
        <TrialResult {...finished} choice={choice} onApply={onApply} />
      ) : (
        <div className={classes.head}>
          <h3>Try it</h3>
          {choice}
          <State running={running} days={days} onDays={setDays} />
        </div>
      )}
    </section>
  );
};

/** 'Try it': what the alert in the form would have raised on the readings of the last days; shown at the form's end. */
export const Trial = (props: TrialProps): ReactNode => {
  const { element } = use(TrialPlaceContext);
  return element && createPortal(<TrialPanel {...props} element={element} />, element);
};
