import { SegmentedControl } from "@mantine/core";
import { type RuleSilenceKind, SilenceKind, silences } from "@telltale/contract/domains/alerting/silences";
import type { AlertRow } from "@telltale/contract/domains/alerts";
import { type ReactNode, useState } from "react";
import { useSession } from "../../../session/session.ts";
import { useAction } from "../../../session/use-call.ts";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { AlertStrip } from "../confirm/alert-strip.tsx";
import { Consequence, ReasonField, segments, TimeField, timeText } from "./silence-fields.tsx";
import { silencedCalls } from "./use-silent.ts";

/** The time that is chosen at first, in minutes. */
const initial: Record<RuleSilenceKind, number> = { [SilenceKind.shelf]: 30, [SilenceKind.outOfService]: 7 * 1440 };

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

interface ShelveAlertProps {
  alert: AlertRow;
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
  const { mutate, isPending } = useAction(silences.add, { invalidates: silencedCalls, onDone: onClose });
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
      <TimeField priority={alert.priority} kind={kind} minutes={minutes} onChange={setMinutes} />
      <ReasonField
        value={reason}
        onChange={setReason}
        error={isAsked && reason.trim() === "" ? "Enter a reason" : undefined}
      />
      <Consequence>
        The entry goes on being recorded, leaves the banner and the count, and joint control still acts. If it still
        stands then, people are notified once.
      </Consequence>
    </ConfirmDialog>
  );
};
