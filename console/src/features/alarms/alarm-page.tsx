import { type AlarmRow, alarms } from "@telltale/contract/domains/alarms";
import { AlarmCondition, alarmConditionLabels } from "@telltale/contract/domains/alerting/conditions";
import { GateType, gateTypeLabels } from "@telltale/contract/domains/alerting/gate";
import { alertPriorityLabels } from "@telltale/contract/domains/alerts";
import { type ReactNode, useRef } from "react";
import type { MergeGroup } from "../../form/merge.ts";
import { useMergedSave } from "../../form/use-merged-save.tsx";
import { useAction, useRead } from "../../session/use-call.ts";
import { useEditRecord } from "../../session/use-edit-record.ts";
import { Loader } from "../../ui/control/loader.tsx";
import { ErrorState } from "../../ui/page/message.tsx";
import { Panel } from "../../ui/page/panel.tsx";
import { type AlarmFields, fieldsOf } from "./alarm-fields.ts";
import { AlarmForm } from "./alarm-form.tsx";
import { classLabels, typeLabels } from "./alarm-text.ts";
import { AlarmTitle } from "./alarm-title.tsx";
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
    label: "Only while",
    keys: ["gateChannelId", "gateType", "gateValue", "startUp"],
    text: ({ gateChannelId, gateType, gateValue, startUp = 0 }, row) => {
      if (!gateChannelId || !gateType) return "always";
      const channel = row ? `${row.gateChannelName} of ${row.gateDeviceName}` : "a channel";
      const value = gateType === GateType.on ? "" : ` ${gateValue}`;
      return `${channel} ${gateTypeLabels[gateType]}${value}, after ${startUp} s${row ? "" : `, ${inForm}`}`;
    },
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

interface AlarmPageProps {
  /** Undefined creates a new one. */
  alarmId: number | undefined;
  /** Initial class of a new alert; undefined when the user has to choose. An existing one keeps its own. */
  alarmClass: number | undefined;
  /** Leads back to the list. */
  onCancel: () => void;
  /** Receives the class of the saved alert. */
  onSaved: (alarmClass: number) => void;
}

/** Adds or edits an alert, in place of the list. */
export const AlarmPage = ({ alarmId, alarmClass, onCancel, onSaved }: AlarmPageProps): ReactNode => {
  const { loaded, isReady, error, retry } = useEditRecord(alarms.info, alarmId === undefined ? undefined : { alarmId });
  const isDone = useRef(false);
  const { save, review, isBusy } = useSave(loaded, (savedClass) => {
    isDone.current = true;
    onSaved(savedClass);
  });
  if (!isReady)
    return (
      <>
        <AlarmTitle>Edit alert</AlarmTitle>
        {error ? (
          <Panel>
            <ErrorState error={error} onRetry={retry} />
          </Panel>
        ) : (
          <Loader size={20} aria-label="Loading" />
        )}
      </>
    );
  return (
    <>
      <AlarmForm
        initial={loaded}
        alarmClass={alarmClass}
        isBusy={isBusy}
        isDone={isDone}
        // Cancel says what it does: it discards without a question.
        onCancel={() => {
          isDone.current = true;
          onCancel();
        }}
        onSave={save}
      />
      {review}
    </>
  );
};
