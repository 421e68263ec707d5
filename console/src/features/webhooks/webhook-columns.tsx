import { IconPencil, IconSend, IconTrash } from "@tabler/icons-react";
import { type WebhookRow, webhookFormatLabels } from "@telltale/contract/domains/alerting/webhooks";
import { CellName, CellText, type Column, operationColumn } from "../../table/column.tsx";
import { recent } from "../../ui/format/time.ts";
import { OperationButton, Operations } from "../../ui/operation-button.tsx";
import { StatusLabel, type StatusLook } from "../../ui/status/status-label.tsx";

/** Row operations of a webhook. */
export interface WebhookOperations {
  test: (webhook: WebhookRow) => void;
  edit: (webhook: WebhookRow) => void;
  remove: (webhook: WebhookRow) => void;
}

/** How a webhook's state is shown. Red is reserved for equipment. */
export const webhookLooks = {
  off: { label: "Off", glyph: "ring-dashed", tone: "inactive" },
  failing: { label: "Failing", glyph: "ring-x", tone: "strong" },
  on: { label: "On", glyph: "ring-tick", tone: "plain" },
} satisfies Record<string, StatusLook>;

const lookOf = ({ enabled, failingSince }: WebhookRow): StatusLook => {
  if (!enabled) return webhookLooks.off;
  return failingSince === null ? webhookLooks.on : webhookLooks.failing;
};

/** When it last accepted a message, or since when it fails, and why. */
const Health = ({ webhook: { acceptedTime, failingSince, fault } }: { webhook: WebhookRow }) => {
  if (failingSince !== null)
    return (
      <CellText title={fault}>
        Since {recent(failingSince)}: {fault}
      </CellText>
    );
  return <span>{acceptedTime === null ? "No message yet" : `Accepted ${recent(acceptedTime)}`}</span>;
};

/** The columns of the webhooks; without `operations` the list is read-only. */
export const webhookColumns = (operations: WebhookOperations | undefined): Column<WebhookRow>[] => [
  {
    key: "status",
    head: "STATUS",
    width: 110,
    narrow: "top",
    cell: (webhook) => <StatusLabel {...lookOf(webhook)} />,
  },
  {
    key: "name",
    head: "NAME",
    width: 170,
    narrow: "top-main",
    cell: ({ webhookName }) => <CellName>{webhookName}</CellName>,
  },
  { key: "format", head: "FORMAT", width: 150, narrow: "below", cell: ({ format }) => webhookFormatLabels[format] },
  { key: "alerts", head: "ALERTS", width: 80, cell: ({ alarmIds }) => alarmIds.length },
  {
    key: "health",
    head: "DELIVERY",
    width: 260,
    narrow: "below-main",
    cell: (webhook) => <Health webhook={webhook} />,
  },
  ...operationColumn<WebhookRow, WebhookOperations>(operations, { width: 128 }, (webhook, { test, edit, remove }) => (
    <Operations>
      <OperationButton label={`Send a test to ${webhook.webhookName}`} icon={IconSend} onClick={() => test(webhook)} />
      <OperationButton label={`Edit ${webhook.webhookName}`} icon={IconPencil} onClick={() => edit(webhook)} />
      <OperationButton label={`Delete ${webhook.webhookName}`} icon={IconTrash} onClick={() => remove(webhook)} />
    </Operations>
  )),
];
