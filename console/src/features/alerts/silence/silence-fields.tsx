import { SegmentedControl, Textarea } from "@mantine/core";
import { IconClock } from "@tabler/icons-react";
import {
  longestReason,
  longestSilence,
  type RuleSilenceKind,
  SilenceKind,
} from "@telltale/contract/domains/alerting/silences";
import { AlertPriority } from "@telltale/contract/domains/alerts";
import { counted } from "@telltale/contract/text/counted";
import type { ReactNode } from "react";
import { areaClasses, validationError } from "../../../form/text-field.tsx";
import { useStamps } from "../../../ui/format/time.ts";
import { serverNow } from "../../../ui/server-time.ts";
import classes from "./silence-fields.module.css";

/** Times to choose from, in minutes, by the kind of silence. */
const choices: Record<RuleSilenceKind, readonly number[]> = {
  [SilenceKind.shelf]: [15, 30, 60, 120, 240, 480, 1440],
  [SilenceKind.outOfService]: [1440, 7 * 1440, 30 * 1440, 90 * 1440],
};

/** 30 min, 4 h, 7 days. */
export const timeText = (minutes: number): string => {
  if (minutes < 60) return `${minutes} min`;
  return minutes < 1440 ? `${minutes / 60} h` : counted(minutes / 1440, "day");
};

/** Classes of a choice of a few words in a row. */
export const segments = {
  root: classes.segments ?? "",
  control: classes.control ?? "",
  label: classes.label ?? "",
  indicator: classes.indicator ?? "",
};

interface TimeFieldProps {
  priority: AlertPriority;
  kind: RuleSilenceKind;
  minutes: number;
  onChange: (minutes: number) => void;
}

/** For how long from now, and when that ends. */
export const TimeField = ({ priority, kind, minutes, onChange }: TimeFieldProps): ReactNode => {
  const { dateTime } = useStamps();
  const possible = choices[kind].filter((each) => each <= longestSilence(kind, priority));
  const isUrgent = kind === SilenceKind.shelf && priority === AlertPriority.high;
  return (
    <div className={classes.field}>
      <span className={classes.heading}>For</span>
      <SegmentedControl
        aria-label="For"
        fullWidth
        data={possible.map((each) => ({ value: String(each), label: timeText(each) }))}
        value={String(minutes)}
        onChange={(chosen) => onChange(Number(chosen))}
        classNames={segments}
      />
      <small>
        Ends {dateTime(serverNow() + minutes * 60_000)}. {isUrgent && "P1 is shelved for 8 h at most."}
      </small>
    </div>
  );
};

interface ReasonFieldProps {
  value: string;
  onChange: (reason: string) => void;
  error: string | undefined;
}

/** Why it is silent. */
export const ReasonField = ({ value, onChange, error }: ReasonFieldProps): ReactNode => (
  <Textarea
    label="Reason"
    description="Seen in the log and on the page What is silent now"
    inputWrapperOrder={["label", "input", "error", "description"]}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
    maxLength={longestReason}
    error={validationError(error)}
    autosize
    minRows={2}
    maxRows={5}
    classNames={areaClasses}
    data-field="reason"
  />
);

/** What a silence does, and what it does not. */
export const Consequence = ({ children }: { children: ReactNode }): ReactNode => (
  <p className={classes.consequence}>
    <IconClock size={18} aria-hidden />
    <span>
      <b>Nobody is notified until then.</b> {children}
    </span>
  </p>
);
