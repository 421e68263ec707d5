import { type WebhookRow, webhooks } from "@telltale/contract/domains/alerting/webhooks";
import { type ReactNode, useMemo, useState } from "react";
import { useRemoval } from "../../form/use-confirmed-action.tsx";
import { useRecordsRefetch } from "../../session/live/use-live-refetch.ts";
import { useSession } from "../../session/session.ts";
import { useAction } from "../../session/use-call.ts";
import { ListPage } from "../../table/list-page.tsx";
import { usePages } from "../../table/use-pages.ts";
import { SecretDialog } from "../../ui/dialog/secret-dialog.tsx";
import { useDialogSubject } from "../../ui/dialog/use-dialog-subject.ts";
import { webhookColumns, webhookLooks } from "./webhook-columns.tsx";
import { WebhookDialog } from "./webhook-dialog.tsx";

const meanings = [
  [webhookLooks.on, "gets its alerts"],
  [webhookLooks.failing, "has not accepted its last messages; they are tried again for two days"],
  [webhookLooks.off, "gets nothing"],
] as const;

const keyOf = ({ webhookId }: WebhookRow) => webhookId;
const noFilter = {};

/** Other systems that alerts are posted to. */
export const ConfigureWebhooks = (): ReactNode => {
  const pages = usePages(webhooks.list, noFilter);
  useRecordsRefetch([webhooks.list], ["webhook"]);
  const isEditor = useSession().can("webhooks.write");
  const { open: edit, ...form } = useDialogSubject<WebhookRow | undefined>();
  const [secret, setSecret] = useState<{ text: string; isOpen: boolean }>({ text: "", isOpen: false });
  const { ask: remove, dialog: removal } = useRemoval({
    call: webhooks.remove,
    inputOf: ({ webhookId }: WebhookRow) => ({ webhookId }),
    invalidates: [webhooks.list],
    title: "Delete webhook",
    question: ({ webhookName }) => (
      <>
        Are you sure that you want to delete this Webhook?
        <p>{webhookName} receives no more alerts.</p>
      </>
    ),
  });
  const { mutate: test } = useAction(webhooks.test, { success: "The test was accepted", invalidates: [webhooks.list] });
  const columns = useMemo(
    () => webhookColumns(isEditor ? { edit, remove, test: ({ webhookId }) => test({ webhookId }) } : undefined),
    [isEditor, edit, remove, test],
  );
  return (
    <ListPage
      title="CONFIGURATION-WEBHOOKS"
      legendKey="telltale-webhook-legend"
      meanings={meanings}
      add={isEditor ? { label: "Add webhook", onClick: () => edit(undefined) } : undefined}
      label="Webhooks"
      pages={pages}
      columns={columns}
      rowKey={keyOf}
      empty="There are no webhooks"
    >
      {form.count > 0 && (
        <WebhookDialog
          key={form.count}
          isOpen={form.isOpen}
          onClose={form.close}
          webhook={form.subject}
          onSecret={(text) => setSecret({ text, isOpen: true })}
        />
      )}
      <SecretDialog
        isOpen={secret.isOpen}
        title="Signing secret"
        intro="Messages are signed with it as Standard Webhooks. Copy it now: it is not shown again. Slack, Teams and ntfy do not need it."
        secret={secret.text}
        onClose={() => setSecret({ text: "", isOpen: false })}
      />
      {removal}
    </ListPage>
  );
};
