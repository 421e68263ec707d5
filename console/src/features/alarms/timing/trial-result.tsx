import { AlarmCondition } from "@telltale/contract/domains/alerting/conditions";
import type { AlarmTrial } from "@telltale/contract/domains/alerting/trial";
import { AlertType } from "@telltale/contract/domains/alerts";
import { counted } from "@telltale/contract/text/counted";
import { type ReactNode, use, useMemo, useState } from "react";
import { durationText } from "../../../domain/alerts/duration.ts";
import type { TriedAlert } from "../../../domain/alerts/tried-alert.ts";
import { Button } from "../../../ui/control/button.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { serverNow } from "../../../ui/server-time.ts";
import classes from "./trial.module.css";
import { TrialPlaceContext, TrialTrendContext } from "./trial-place.ts";
import type { FinishedTrial, TrialInput } from "./use-trial.ts";

const minute = 60_000;
const day = 86_400_000;

type Range = TriedAlert["range"];

/** The days until now; whole minutes, so that the readings of the chart are not loaded anew for each change. */
const rangeOf = ({ perDay }: AlarmTrial): Range => {
  const end = Math.ceil(serverNow() / minute) * minute;
  return { start: end - perDay.length * day, end };
};

/** The delay that is compared first: it spares most of what is over before anybody could look. */
const usual = 60;

const delayText = (seconds: number): string => {
  if (seconds === 0) return "none";
  return seconds < 120 || seconds % 60 > 0 ? `${seconds} s` : `${seconds / 60} min`;
};

/** What the alert would have raised with a delay. */
type WithDelay = AlarmTrial["withDelay"][number];

/** Its own delay and those that it is compared with, shortest first. */
const delaysOf = ({ onDelay = 0 }: TrialInput, { total, occurrences, withDelay }: AlarmTrial) => {
  const own: WithDelay = { seconds: onDelay, total, occurrences };
  const others = withDelay.filter(({ seconds }) => seconds !== onDelay);
  return { own, all: [own, ...others].toSorted((a, b) => a.seconds - b.seconds) };
};

const spansOf = (occurrences: AlarmTrial["occurrences"], end: number) =>
  occurrences.map(({ from, to }) => ({ start: from.getTime(), end: to?.getTime() ?? end }));

/** What would be raised with the delay that is compared, and what that would spare. */
const spansWith = ({ occurrences }: AlarmTrial, compared: WithDelay, end: number) => {
  const raised = spansOf(compared.occurrences, end);
  const isRaised = (span: Range) => raised.some((each) => each.start <= span.end && each.end >= span.start);
  return { raised, spared: spansOf(occurrences, end).filter((span) => !isRaised(span)) };
};

/** The limit as the chart draws it; a rate is none of its values. */
const limitOf = ({ type, alarmValue, condition }: TrialInput): TriedAlert["limit"] =>
  type === undefined || alarmValue === undefined || condition === AlarmCondition.rate
    ? undefined
    : { name: "Limit", value: alarmValue, high: type === AlertType.high };

interface SummaryProps {
  trial: AlarmTrial;
  own: WithDelay;
  compared: WithDelay;
}

/** The result as a sentence. */
const Sentence = ({ trial: { total, perDay, readings }, own, compared }: SummaryProps) => {
  const days = `${perDay.length} days`;
  if (readings === 0) return <>No readings in the last {days}</>;
  if (total === 0)
    return (
      <>
        Last {days}: <b>no alert</b>
      </>
    );
  return (
    <>
      Last {days}: <b>{counted(total, "alert")}</b>, worst day <b>{Math.max(...perDay)}</b>
      {compared !== own && (
        <>
          . {compared.seconds === 0 ? "Without delay" : `With ${delayText(compared.seconds)} delay`}:{" "}
          <b>{compared.total}</b>
        </>
      )}
    </>
  );
};

/** What the marks of the chart mean, and how long the alerts would have stood. */
const Legend = ({ trial, own, compared }: SummaryProps) => {
  const { underAMinute, longestSeconds, inAlarmSeconds } = trial;
  const delay = compared.seconds === 0 ? "without delay" : `with ${delayText(compared.seconds)} delay`;
  return (
    <p className={classes.legend}>
      <span>
        <i className={classes.raised} /> {compared === own ? "in alarm" : `stays ${delay}`}
      </span>
      {compared !== own && (
        <span>
          <i className={classes.spared} /> would not be raised
        </span>
      )}
      <span>
        {underAMinute} under a minute, longest {durationText(longestSeconds * 1000)},{" "}
        {durationText(inAlarmSeconds * 1000)} in alarm
      </span>
    </p>
  );
};

interface TrialResultProps extends FinishedTrial {
  /** The choice of days. */
  choice: ReactNode;
  onApply: (onDelay: string) => void;
}

/** What an alert would have raised: a sentence, the same with other delays, one of which can be taken over, and the readings with the spans. */
export const TrialResult = ({ input, trial, choice, onApply }: TrialResultProps): ReactNode => {
  const { channelName } = use(TrialPlaceContext);
  const trend = use(TrialTrendContext);
  const [chosen, setChosen] = useState(usual);
  const { own, all } = useMemo(() => delaysOf(input, trial), [input, trial]);
  const compared = all.find(({ seconds }) => seconds === chosen) ?? own;
  const range = useMemo(() => rangeOf(trial), [trial]);
  const tried = useMemo((): TriedAlert => {
    const { deviceChannelId = 0 } = input;
    return { deviceChannelId, channelName, range, limit: limitOf(input), ...spansWith(trial, compared, range.end) };
  }, [input, trial, compared, channelName, range]);
  const isComparable = trial.total > 0 && all.length > 1;
  const summary = { trial, own, compared };
  return (
    <>
      <div className={classes.head}>
        <h3>Try it</h3>
        {choice}
        <p className={classes.sentence} role="status">
          <span>
            <Sentence {...summary} />
          </span>
          {isComparable && compared !== own && (
            <Button size="compact-sm" variant="default" onClick={() => onApply(String(compared.seconds))}>
              Apply
            </Button>
          )}
        </p>
        {isComparable && (
          <div className={classes.delays}>
            <span aria-hidden="true">With a delay of</span>
            <Segments
              label="With a delay of"
              options={all.map(({ seconds, total }) => ({
                value: seconds,
                label: (
                  <>
                    {delayText(seconds)} <b>{total}</b>
                  </>
                ),
              }))}
              value={compared.seconds}
              onChange={setChosen}
            />
          </div>
        )}
      </div>
      {trial.readings > 0 && <div className={classes.chart}>{trend(tried)}</div>}
      {trial.total > 0 && <Legend {...summary} />}
    </>
  );
};
