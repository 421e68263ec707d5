import { type AlarmTrial, alarmTrial, mostTrialDays } from "@telltale/contract/domains/alerting/trial";
import { counted } from "@telltale/contract/text/counted";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { durationText } from "../../../domain/alerts/duration.ts";
import { ChoiceRow } from "../../../form/choice-row.tsx";
import { validationError } from "../../../form/text-field.tsx";
import { useAction } from "../../../session/use-call.ts";
import { Button } from "../../../ui/control/button.tsx";
import classes from "./when-exactly.module.css";

const delayText = (seconds: number): string => (seconds < 120 ? `${seconds} s` : `${seconds / 60} min`);

/** What it would have raised, as a sentence. */
const sentence = ({ total, perDay, inAlarmSeconds, longestSeconds, underAMinute, readings }: AlarmTrial): string => {
  if (readings === 0) return `There are no readings of the last ${mostTrialDays} days.`;
  if (total === 0) return `Last ${mostTrialDays} days: no alert.`;
  return [
    `Last ${mostTrialDays} days: ${counted(total, "alert")}, worst day ${Math.max(...perDay)}`,
    `in alarm for ${durationText(inAlarmSeconds * 1000)}, longest ${durationText(longestSeconds * 1000)}`,
    `${underAMinute} under a minute.`,
  ].join("; ");
};

interface ResultProps {
  trial: AlarmTrial;
  onDelay: string;
  onApply: (onDelay: string) => void;
}

/** The result, and how often it would have been with other delays; choosing one takes it over. */
const Result = ({ trial, onDelay, onApply }: ResultProps) => {
  const others = trial.withDelay.map(({ seconds, total }) => ({
    value: String(seconds),
    label: `${delayText(seconds)}: ${total}`,
  }));
  return (
    <div role="status">
      <p>{sentence(trial)}</p>
      {trial.total > 0 && <ChoiceRow label="With a delay of" options={others} value={onDelay} onChange={onApply} />}
    </div>
  );
};

interface TrialProps extends Omit<ResultProps, "trial"> {
  read: (fields: Record<string, FormDataEntryValue>) => Record<string, unknown>;
}

/** The part of an address by which a link tries the alert at once. */
const tryLink = "#try";

/** 'Try it': what the alert in the form would have raised on the readings of the last 30 days. */
export const Trial = ({ read, ...result }: TrialProps): ReactNode => {
  const button = useRef<HTMLButtonElement>(null);
  const [fault, setFault] = useState<string>();
  const { mutate, data, isPending, reset } = useAction(alarmTrial.try);
  // What was tried is no longer what the fields say.
  useEffect(() => {
    const form = button.current?.form;
    form?.addEventListener("input", reset);
    return () => form?.removeEventListener("input", reset);
  }, [reset]);
  const tryIt = () => {
    const form = button.current?.form;
    if (!form || !alarmTrial.try.body) return;
    const fields = { ...read(Object.fromEntries(new FormData(form))), days: String(mostTrialDays) };
    const parsed = alarmTrial.try.body.safeParse(fields);
    setFault(parsed.success ? undefined : parsed.error.issues[0]?.message);
    if (parsed.success) mutate(parsed.data);
  };
  const tryAtOnce = useEffectEvent(() => {
    if (location.hash !== tryLink) return;
    button.current?.scrollIntoView({ block: "center" });
    tryIt();
  });
  useEffect(() => tryAtOnce(), []);
  return (
    <section className={classes.trial} aria-label="Try it">
      <Button ref={button} variant="default" onClick={tryIt} loading={isPending}>
        Try it on the last {mostTrialDays} days
      </Button>
      {fault !== undefined && <p className={classes.fault}>{validationError(fault)}</p>}
      {data && <Result trial={data} {...result} />}
    </section>
  );
};
