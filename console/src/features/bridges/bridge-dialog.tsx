import { Textarea } from "@mantine/core";
import { BridgeFormat, type BridgeRow, bridgeFormatLabels, bridges } from "@telltale/contract/domains/readings/bridges";
import { useState } from "react";
import { CallDialog } from "../../form/call-dialog.tsx";
import { PasswordField } from "../../form/password-field.tsx";
import { SelectField } from "../../form/select-field.tsx";
import { SwitchField, SwitchRow } from "../../form/switch-field.tsx";
import { areaClasses, fieldClasses, TextField, validationError } from "../../form/text-field.tsx";
import { useAddOrUpdate } from "../../form/use-add-or-update.ts";
import { useCallForm } from "../../form/use-call-form.ts";
import classes from "./bridges.module.css";
import { DevicesField } from "./devices-field.tsx";

const formats = [BridgeFormat.json, BridgeFormat.sparkplug].map((format) => ({
  value: String(format),
  label: bridgeFormatLabels[format],
}));
const formatOf = (text: string | null): BridgeFormat =>
  text === String(BridgeFormat.sparkplug) ? BridgeFormat.sparkplug : BridgeFormat.json;

/** What the prefix and the client ID are, by the format. */
const hints: Record<BridgeFormat, { prefix: string; below: string; clientId: string }> = {
  [BridgeFormat.json]: {
    prefix: "Topic prefix",
    below: "Topics are PREFIX/device ID/channel and PREFIX/device ID/alerts",
    clientId: "Its own at the broker",
  },
  [BridgeFormat.sparkplug]: {
    prefix: "Group ID",
    below: "Topics are spBv1.0/GROUP/DDATA/CLIENT ID/device ID",
    clientId: "Its own at the broker; the name of the edge node",
  },
};

interface BridgeDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** Absent: a new one. */
  bridge: BridgeRow | undefined;
}

/** Adds or changes a bridge. Give it a new key at each opening. */
export const BridgeDialog = ({ isOpen, onClose, bridge }: BridgeDialogProps) => {
  const [format, setFormat] = useState<BridgeFormat>(bridge?.format ?? BridgeFormat.json);
  const { save, sending } = useAddOrUpdate({
    add: bridges.add,
    update: bridges.update,
    changed: bridge && ((fields) => ({ ...fields, bridgeId: bridge.bridgeId, version: bridge.version })),
    invalidates: [bridges.list],
    onDone: onClose,
  });
  const form = useCallForm(bridges.add, save);
  const hint = hints[format];
  return (
    <CallDialog
      isOpen={isOpen}
      onClose={onClose}
      title={bridge ? "Edit bridge" : "Add bridge"}
      form={form}
      sending={sending}
    >
      <TextField
        {...form.field("bridgeName")}
        label="Name"
        defaultValue={bridge?.bridgeName ?? ""}
        autoComplete="off"
        data-autofocus
      />
      <TextField
        {...form.field("url")}
        label="Broker's address"
        description="mqtts://, wss://, or mqtt:// and ws:// without encryption"
        defaultValue={bridge?.url ?? ""}
        placeholder="mqtts://broker.example.com:8883"
        autoComplete="off"
        spellCheck={false}
      />
      <div className={classes.pair}>
        <TextField
          {...form.field("userName")}
          label="User"
          description="Blank: none"
          defaultValue={bridge?.userName ?? ""}
          autoComplete="off"
          spellCheck={false}
        />
        <PasswordField
          {...form.field("password")}
          label="Password"
          description={bridge?.hasPassword ? "Blank: the one of before stays" : "Blank: none"}
          autoComplete="new-password"
        />
      </div>
      <div className={classes.pair}>
        <SelectField
          name="format"
          label="Format"
          description="Of the messages"
          data={formats}
          value={String(format)}
          onChange={(chosen) => setFormat(formatOf(chosen))}
        />
        <TextField
          {...form.field("clientId")}
          label="Client ID"
          description={hint.clientId}
          defaultValue={bridge?.clientId ?? "telltale"}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      <TextField
        {...form.field("prefix")}
        label={hint.prefix}
        description={hint.below}
        defaultValue={bridge?.prefix ?? ""}
        autoComplete="off"
        spellCheck={false}
      />
      <DevicesField bridge={bridge} error={form.field("deviceIds").error} />
      <SwitchRow>
        <SwitchField name="sendsValues" label="Values" isOn={bridge?.sendsValues ?? true} />
        <SwitchField name="sendsAlerts" label="Alerts" isOn={bridge?.sendsAlerts ?? true} />
        <SwitchField name="enabled" label="Enabled" isOn={bridge?.enabled ?? true} />
      </SwitchRow>
      <Textarea
        name="ca"
        label="CA certificate"
        description="As PEM, if the broker's certificate is of an authority of your own"
        defaultValue={bridge?.ca ?? ""}
        error={validationError(form.field("ca").error)}
        autosize
        minRows={2}
        maxRows={6}
        spellCheck={false}
        classNames={{ ...areaClasses, root: fieldClasses.root, input: `${areaClasses.input} ${classes.certificate}` }}
      />
    </CallDialog>
  );
};
