import { MultiSelect } from "@mantine/core";
import { alarms } from "@telltale/contract/domains/alarms";
import {
  WebhookFormat,
  type WebhookRow,
  webhookFormatLabels,
  webhooks,
} from "@telltale/contract/domains/alerting/webhooks";
import { useState } from "react";
import { CallDialog } from "../../form/call-dialog.tsx";
import { SelectField } from "../../form/select-field.tsx";
import { SwitchField, SwitchRow } from "../../form/switch-field.tsx";
import { TextField, validationError } from "../../form/text-field.tsx";
import { useAddOrUpdate } from "../../form/use-add-or-update.ts";
import { useCallForm } from "../../form/use-call-form.ts";
import { useAction, useCall } from "../../session/use-call.ts";
import { Button } from "../../ui/control/button.tsx";

const formats = Object.entries(webhookFormatLabels).map(([value, label]) => ({ value, label }));

/** What the address is, by the format. */
const hints: Record<WebhookFormat, string> = {
  [WebhookFormat.standard]: "Gets JSON by POST, signed as Standard Webhooks",
  [WebhookFormat.slack]: "The URL of an incoming webhook of your Slack app",
  [WebhookFormat.teams]: "The URL of a workflow that posts to a channel when a webhook request is received",
  [WebhookFormat.ntfy]: "The topic's address, such as https://ntfy.sh/your-topic",
};

interface WebhookDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** Absent: a new one. */
  webhook: WebhookRow | undefined;
  onSecret: (secret: string) => void;
}

const useAlarmOptions = () => {
  const { data = [] } = useCall(alarms.names, {});
  return data.map(({ alarmId, alarmName, deviceName }) => ({
    value: String(alarmId),
    label: `${alarmName}, ${deviceName}`,
  }));
};

/** Adds or changes a webhook, and replaces its secret. Give it a new key at each opening. */
export const WebhookDialog = ({ isOpen, onClose, webhook, onSecret }: WebhookDialogProps) => {
  const [format, setFormat] = useState<WebhookFormat>(webhook?.format ?? WebhookFormat.standard);
  const [alarmIds, setAlarmIds] = useState((webhook?.alarmIds ?? []).map(String));
  const { save, sending } = useAddOrUpdate({
    add: webhooks.add,
    update: webhooks.update,
    changed: webhook && ((fields) => ({ ...fields, webhookId: webhook.webhookId, version: webhook.version })),
    invalidates: [webhooks.list],
    onDone: onClose,
    onAdded: ({ secret }) => onSecret(secret),
  });
  const rotate = useAction(webhooks.rotate, {
    onDone: ({ secret }) => {
      onClose();
      onSecret(secret);
    },
  });
  const form = useCallForm(webhooks.add, save);
  const newSecret = webhook && (
    <Button
      variant="default"
      onClick={() => rotate.mutate({ webhookId: webhook.webhookId })}
      loading={rotate.isPending}
    >
      New secret
    </Button>
  );
  return (
    <CallDialog
      isOpen={isOpen}
      onClose={onClose}
      title={webhook ? "Edit webhook" : "Add webhook"}
      form={form}
      sending={sending}
      others={newSecret}
    >
      <TextField
        {...form.field("webhookName")}
        label="Name"
        defaultValue={webhook?.webhookName ?? ""}
        autoComplete="off"
        data-autofocus
      />
      <SelectField
        name="format"
        label="Format"
        data={formats}
        value={String(format)}
        onChange={(chosen) => setFormat(Number(chosen) as WebhookFormat)}
      />
      <TextField
        {...form.field("url")}
        label="Address"
        description={hints[format]}
        defaultValue={webhook?.url ?? ""}
        autoComplete="off"
        spellCheck={false}
      />
      <input type="hidden" name="alarmIds" value={alarmIds.join(",")} />
      <MultiSelect
        data-field="alarmIds"
        label="Alerts"
        description="Whose alerts are posted there"
        data={useAlarmOptions()}
        value={alarmIds}
        onChange={setAlarmIds}
        error={validationError(form.field("alarmIds").error)}
        searchable
        nothingFoundMessage="No alert has that name"
      />
      <SwitchRow>
        <SwitchField name="enabled" label="Enabled" isOn={webhook?.enabled ?? true} />
        <SwitchField name="mayConfirm" label="May confirm by its link" isOn={webhook?.mayConfirm ?? false} />
      </SwitchRow>
    </CallDialog>
  );
};
