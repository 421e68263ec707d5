import { SegmentedControl, Textarea } from "@mantine/core";
import { IconClock } from "@tabler/icons-react";
import type { AlertInfo } from "@telltale/contract/domains/alerting/entries";
import {
  longestReason,
  longestSilence,
  type RuleSilenceKind,
  SilenceKind,
  silences,
} from "@telltale/contract/domains/alerting/silences";
import { AlertPriority } from "@telltale/contract/domains/alerts";
import { counted } from "@telltale/contract/text/counted";
import { type ReactNode, useState } from "react";
import { fieldClasses, validationError } from "../../../form/text-field.tsx";
import { useSession } from "../../../session/session.ts";
import { useAction } from "../../../session/use-call.ts";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { dateTime } from "../../../ui/format/time.ts";
import { AlertStrip } from "../confirm/alert-strip.tsx";
import { changedCalls } from "../confirm/changed-calls.ts";
import classes from "./shelve-alert.module.css";

/** Times to choose from, in minutes, by the kind of silence. */
const choices: Record<RuleSilenceKind, readonly number[]> = {
  [SilenceKind.shelf]: [15, 30, 60, 120, 240, 480, 1440],
  [SilenceKind.outOfService]: [1440, 7 * 1440, 30 * 1440, 90 * 1440],
};
/** The time that is chosen at first. */
const initial: Record<RuleSilenceKind, number> = { [SilenceKind.shelf]: 30, [SilenceKind.outOfService]: 7 * 1440 };

const timeText = (minutes: number): string => {
  if (minutes < 60) return `${minutes} min`;
  return minutes < 1440 ? `${minutes / 60} h` : counted(minutes / 1440, "day");
};

const segments = {
  root: classes.segments ?? "",
  control: classes.control ?? "",
  label: classes.label ?? "",
  indicator: classes.indicator ?? "",
};

/** Shelf or out of service, for those who may do both. */
const KindField = ({ kind, onChange }: { kind: RuleSilenceKind; onChange: (kind: RuleSilenceKind) => void }) => (
  <SegmentedControl
    aria-label="Kind"
    fullWidth
    data={[
      { value: "shelf", label: "Shelve" },
      { value: "outOfService", label: "Out of service" },
    ]}
    value={kind === SilenceKind.shelf ? "shelf" : "outOfService"}
    onChange={(chosen) => onChange(chosen === "shelf" ? SilenceKind.shelf : SilenceKind.outOfService)}
    classNames={segments}
  />
);

interface TimeFieldProps {
  alert: AlertInfo;
  kind: RuleSilenceKind;
  minutes: number;
  onChange: (minutes: number) => void;
}

/** For how long, and when that ends. */
const TimeField = ({ alert, kind, minutes, onChange }: TimeFieldProps) => {
  const possible = choices[kind].filter((each) => each <= longestSilence(kind, alert.priority));
  const isUrgent = kind === SilenceKind.shelf && alert.priority === AlertPriority.high;
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
        Ends {dateTime(Date.now() + minutes * 60_000)}. {isUrgent && "P1 is shelved for 8 h at most."}
      </small>
    </div>
  );
};

const Consequence = () => (
  <p className={classes.consequence}>
    <IconClock size={18} aria-hidden />
    <span>
      <b>Nobody is notified until then.</b> The entry goes on being recorded, leaves the banner and the count, and joint
      control still acts. If it still stands then, people are notified once.
    </span>
  </p>
);

interface ShelveAlertProps {
  alert: AlertInfo;
  isOpen: boolean;
  onClose: () => void;
}

/** Silences the rule of an alert for a time, with a reason. */
export const ShelveAlert = ({ alert, isOpen, onClose }: ShelveAlertProps): ReactNode => {
  const { can } = useSession();
  const [kind, setKind] = useState<RuleSilenceKind>(SilenceKind.shelf);
  const [minutes, setMinutes] = useState(initial[SilenceKind.shelf]);
  const [reason, setReason] = useState("");
  const [isAsked, setAsked] = useState(false);
  const { mutate, isPending } = useAction(silences.add, { invalidates: changedCalls, onDone: onClose });
  const choose = (chosen: RuleSilenceKind) => {
    setKind(chosen);
    setMinutes(initial[chosen]);
  };
  const confirm = () => {
    setAsked(true);
    if (reason.trim() !== "") mutate({ alarmLogId: alert.alarmLogId, kind, minutes, reason: reason.trim() });
  };
  const isShelf = kind === SilenceKind.shelf;
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={isShelf ? "Shelve alert" : "Take out of service"}
      width={540}
      action={isShelf ? `Shelve for ${timeText(minutes)}` : `Out of service for ${timeText(minutes)}`}
      onConfirm={confirm}
      isBusy={isPending}
    >
      <AlertStrip entry={alert} />
      {can("alerts.outOfService") && <KindField kind={kind} onChange={choose} />}
      <TimeField alert={alert} kind={kind} minutes={minutes} onChange={setMinutes} />
      <Textarea
        label="Reason"
        description="Seen in the timeline of the entry"
        inputWrapperOrder={["label", "input", "error", "description"]}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        maxLength={longestReason}
        error={isAsked && reason.trim() === "" ? validationError("Enter a reason") : undefined}
        autosize
        minRows={2}
        maxRows={5}
        classNames={{ label: fieldClasses.label, input: classes.reason ?? "" }}
      />
      <Consequence />
    </ConfirmDialog>
  );
};
