import { type AlarmRow, alarms } from "@telltale/contract/domains/alarms";
import { AlarmCondition, alarmConditionLabels } from "@telltale/contract/domains/alerting/conditions";
import { alertPriorityLabels } from "@telltale/contract/domains/alerts";
import { type ReactNode, useCallback, useId } from "react";
import type { MergeGroup } from "../../form/merge.ts";
import { useMergedSave } from "../../form/use-merged-save.tsx";
import { useAction, useRead } from "../../session/use-call.ts";
import { useEditRecord } from "../../session/use-edit-record.ts";
import { Loader } from "../../ui/control/loader.tsx";
import { SubmitDialog } from "../../ui/dialog/submit-dialog.tsx";
import { useDialogSubject } from "../../ui/dialog/use-dialog-subject.ts";
import { ErrorState } from "../../ui/page/message.tsx";
import { type AlarmFields, fieldsOf } from "./alarm-fields.ts";
import { AlarmForm } from "./alarm-form.tsx";
import { classLabels, typeLabels } from "./alarm-text.ts";
import { changedCalls } from "./changed-calls.ts";

const inForm = "as chosen in the form";

const groups: MergeGroup<AlarmFields, AlarmRow>[] = [
  { label: "Alert name", keys: ["alarmName"], text: ({ alarmName }) => alarmName },
  {
    label: "Alert type, device and channel",
    keys: ["alarmClass", "deviceId", "deviceChannelId"],
    text: ({ alarmClass }, row) =>
      [classLabels[alarmClass], ...(row ? [row.deviceName, row.channelName] : [inForm])].filter(Boolean).join(", "),
  },
  {
    label: "Condition",
    keys: ["condition"],
    text: ({ condition = AlarmCondition.limit }) => alarmConditionLabels[condition],
  },
  { label: "Threshold type", keys: ["type"], text: ({ type }) => typeLabels[type ?? 0] ?? "" },
  { label: "Value", keys: ["alarmValue"], text: ({ alarmValue }) => String(alarmValue ?? "") },
  { label: "Hysteresis", keys: ["alarmHysteresis"], text: ({ alarmHysteresis }) => String(alarmHysteresis ?? "") },
  {
    label: "When exactly",
    keys: ["onDelay", "offDelay", "times", "window"],
    text: ({ onDelay = 0, offDelay = 0, times = 1, window = 0 }) =>
      `after ${onDelay} s, gone for ${offDelay} s, ${times} times${window > 0 ? ` within ${window} s` : ""}`,
  },
  {
    label: "Priority",
    keys: ["priority"],
    text: ({ priority }) => (priority === undefined ? "" : alertPriorityLabels[priority]),
  },
  { label: "What to do", keys: ["response"], text: ({ response = "" }) => response },
  { label: "Enabled", keys: ["enabled"], text: ({ enabled }) => (enabled === 0 ? "Switched off" : "Enabled") },
  {
    label: "Escalation",
    keys: ["planId"],
    text: ({ planId }, row) => (planId ? (row?.planName ?? inForm) : "the plant's default"),
  },
  {
    label: "Recipients",
    keys: ["notifyUserIds"],
    text: ({ notifyUserIds = [] }, row) =>
      row ? row.notifyUsers.map(({ name }) => name).join(", ") : `${notifyUserIds.length}, ${inForm}`,
  },
];

/** Saves; on a conflict the other user's changes are shown beside the form's. `onDone` receives the alert's class. */
const useSave = (loaded: AlarmRow | undefined, onDone: (alarmClass: number) => void) => {
  const add = useAction(alarms.add, { success: "Add success", invalidates: changedCalls });
  const update = useAction(alarms.update, { success: "Modify successful", invalidates: changedCalls });
  const isBusy = add.isPending || update.isPending;
  const id = loaded && { alarmId: loaded.alarmId };
  const read = useRead(alarms.info);
  const { save, dialog } = useMergedSave<AlarmFields, AlarmRow>({
    opened: loaded,
    fieldsOf,
    groups,
    read: async () => id && read(id),
    invalidates: [alarms.list, alarms.systemList],
    send: (fields, version, onError) => {
      const onSuccess = () => onDone(fields.alarmClass);
      if (id) update.mutate({ ...fields, ...id, ...(version !== undefined && { version }) }, { onSuccess, onError });
      else add.mutate(fields, { onSuccess });
    },
    isBusy,
  });
  return { save, review: dialog, isBusy };
};

interface AlarmDialogProps {
  /** Undefined creates a new one. */
  alarmId: number | undefined;
  /** Initial class of a new alert; an existing one keeps its own. */
  alarmClass: number | undefined;
  isOpen: boolean;
  onClose: () => void;
  onSaved: (alarmClass: number) => void;
}

/** Adds or edits an alert. */
const AlarmDialog = ({ alarmId, alarmClass, isOpen, onClose, onSaved }: AlarmDialogProps): ReactNode => {
  const formId = useId();
  const { loaded, isReady, error, retry } = useEditRecord(alarms.info, alarmId === undefined ? undefined : { alarmId });
  const { save, review, isBusy } = useSave(loaded, (saved) => {
    onClose();
    onSaved(saved);
  });
  return (
    <SubmitDialog
      isOpen={isOpen}
      onClose={onClose}
      title={alarmId === undefined ? "Add alert" : "Edit alert"}
      width={1180}
      formId={formId}
      action="Save"
      isBusy={isBusy}
      isDisabled={!isReady}
    >
      {isReady && <AlarmForm initial={loaded} alarmClass={alarmClass} formId={formId} onSave={save} />}
      {!isReady && error && <ErrorState error={error} onRetry={retry} />}
      {!isReady && !error && <Loader size={20} aria-label="Loading" />}
      {review}
    </SubmitDialog>
  );
};

interface EditAlarm {
  /** Opens an empty form, with this class when it is given. */
  add: (alarmClass: number | undefined) => void;
  edit: (alarm: { alarmId: number }) => void;
  dialog: ReactNode;
}

/** Opens the form for a new or an existing alert, reset at each opening. */
export const useEditAlarm = (onSaved: (alarmClass: number) => void): EditAlarm => {
  const { open, subject, count, isOpen, close } = useDialogSubject<Pick<AlarmDialogProps, "alarmId" | "alarmClass">>();
  return {
    add: useCallback((alarmClass) => open({ alarmId: undefined, alarmClass }), [open]),
    edit: useCallback(({ alarmId }) => open({ alarmId, alarmClass: undefined }), [open]),
    dialog: subject && <AlarmDialog key={count} {...subject} isOpen={isOpen} onClose={close} onSaved={onSaved} />,
  };
};
