import { MultiSelect, Select } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import type { Input } from "@telltale/contract/call/call";
import { alarms } from "@telltale/contract/domains/alarms";
import {
  WebhookFormat,
  type WebhookRow,
  webhookFormatLabels,
  webhooks,
} from "@telltale/contract/domains/alerting/webhooks";
import { useId, useState } from "react";
import { FormMessage } from "../../form/form-message.tsx";
import { SwitchField } from "../../form/switch-field.tsx";
import { fieldClasses, TextField, validationError } from "../../form/text-field.tsx";
import { useCallForm } from "../../form/use-call-form.ts";
import { useAction, useCall } from "../../session/use-call.ts";
import { Button } from "../../ui/control/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { inform } from "../../ui/dialog/messages.ts";
import classes from "./webhooks.module.css";

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

/** What adding and changing have in common: saving, and the secret of a new one. */
const useSave = ({ webhook, onClose, onSecret }: WebhookDialogProps) => {
  const options = { invalidates: [webhooks.list], isQuiet: true };
  const add = useAction(webhooks.add, { ...options, onDone: ({ secret }) => onSecret(secret) });
  const update = useAction(webhooks.update, options);
  const done = (sentence: string) => () => {
    inform(sentence);
    onClose();
  };
  const save = (fields: Input<typeof webhooks.add>) =>
    webhook
      ? update.mutate(
          { ...fields, webhookId: webhook.webhookId, version: webhook.version },
          { onSuccess: done("Submitted successfully") },
        )
      : add.mutate(fields, { onSuccess: done("Add success") });
  const reset = () => {
    add.reset();
    update.reset();
  };
  return { save, reset, isPending: add.isPending || update.isPending, error: add.error ?? update.error };
};

/** Adds or changes a webhook, and replaces its secret. Give it a new key at each opening. */
export const WebhookDialog = (props: WebhookDialogProps) => {
  const { isOpen, onClose, webhook, onSecret } = props;
  const formId = useId();
  const [format, setFormat] = useState<WebhookFormat>(webhook?.format ?? WebhookFormat.standard);
  const [alarmIds, setAlarmIds] = useState((webhook?.alarmIds ?? []).map(String));
  const { save, reset, isPending, error } = useSave(props);
  const rotate = useAction(webhooks.rotate, {
    onDone: ({ secret }) => {
      onClose();
      onSecret(secret);
    },
  });
  const form = useCallForm(webhooks.add, save);
  const alarmField = form.field("alarmIds");
  const footer = (
    <>
      {webhook && (
        <Button
          variant="default"
          onClick={() => rotate.mutate({ webhookId: webhook.webhookId })}
          loading={rotate.isPending}
        >
          New secret
        </Button>
      )}
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" form={formId} loading={isPending}>
        Confirm
      </Button>
    </>
  );
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={webhook ? "Edit webhook" : "Add webhook"} footer={footer}>
      <form id={formId} {...form.props} onInput={reset}>
        <TextField
          {...form.field("webhookName")}
          label="Name"
          defaultValue={webhook?.webhookName ?? ""}
          autoComplete="off"
          data-autofocus
        />
        <Select
          name="format"
          data-field="format"
          label="Format"
          data={formats}
          value={String(format)}
          onChange={(chosen) => setFormat(Number(chosen) as WebhookFormat)}
          allowDeselect={false}
          rightSection={<IconChevronDown size={18} aria-hidden />}
          rightSectionPointerEvents="none"
          classNames={fieldClasses}
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
          error={validationError(alarmField.error)}
          searchable
          nothingFoundMessage="No alert has that name"
        />
        <div className={classes.switches}>
          <SwitchField name="enabled" label="Enabled" isOn={webhook?.enabled ?? true} />
          <SwitchField name="mayConfirm" label="May confirm by its link" isOn={webhook?.mayConfirm ?? false} />
        </div>
        <FormMessage>{error?.message}</FormMessage>
      </form>
    </Dialog>
  );
};
