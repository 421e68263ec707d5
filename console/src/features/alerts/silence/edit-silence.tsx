import { type Silence, SilenceKind, silences } from "@telltale/contract/domains/alerting/silences";
import { AlertPriority } from "@telltale/contract/domains/alerts";
import { type ReactNode, useState } from "react";
import { useAction } from "../../../session/use-call.ts";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { Consequence, ReasonField, TimeField, timeText } from "./silence-fields.tsx";
import { silencedCalls } from "./use-silent.ts";

interface EditSilenceProps {
  silence: Silence;
  isOpen: boolean;
  onClose: () => void;
}

/** Moves the end of a shelf or of out of service, counted from now, and changes its reason. */
export const EditSilence = ({ silence, isOpen, onClose }: EditSilenceProps): ReactNode => {
  const kind = silence.kind === SilenceKind.outOfService ? silence.kind : SilenceKind.shelf;
  const [minutes, setMinutes] = useState(kind === SilenceKind.shelf ? 60 : 7 * 1440);
  const [reason, setReason] = useState(silence.reason);
  const { mutate, isPending } = useAction(silences.update, { invalidates: silencedCalls, onDone: onClose });
  const { silenceId, version } = silence;
  const save = () => reason.trim() !== "" && mutate({ silenceId, version, minutes, reason: reason.trim() });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={kind === SilenceKind.shelf ? "Change shelf" : "Change out of service"}
      width={540}
      action={`${kind === SilenceKind.shelf ? "Shelve" : "Out of service"} for ${timeText(minutes)} from now`}
      onConfirm={save}
      isBusy={isPending}
    >
      <b>{silence.alarmName}</b>, {silence.devices.map(({ deviceName }) => deviceName).join(", ")}
      <TimeField
        priority={silence.priority ?? AlertPriority.medium}
        kind={kind}
        minutes={minutes}
        onChange={setMinutes}
      />
      <ReasonField value={reason} onChange={setReason} error={reason.trim() === "" ? "Enter a reason" : undefined} />
      <Consequence>If the condition still stands then, people are notified once.</Consequence>
    </ConfirmDialog>
  );
};
