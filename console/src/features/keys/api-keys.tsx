import { type ApiKeyRow, apiKeys } from "@telltale/contract/domains/people/api-keys";
import { useMemo, useState } from "react";
import { useConfirmedAction } from "../../form/use-confirmed-action.tsx";
import { useRecordsRefetch } from "../../session/live/use-live-refetch.ts";
import { useSession } from "../../session/session.ts";
import { useCall } from "../../session/use-call.ts";
import { DataTable } from "../../table/data-table.tsx";
import { Button } from "../../ui/control/button.tsx";
import { SecretDialog } from "../../ui/dialog/secret-dialog.tsx";
import { useDialogSubject } from "../../ui/dialog/use-dialog-subject.ts";
import { recent } from "../../ui/format/time.ts";
import { ErrorState } from "../../ui/page/message.tsx";
import { PageTitle } from "../../ui/page/page-title.tsx";
import { keyColumns } from "./key-columns.tsx";
import { KeyDialog } from "./key-dialog.tsx";
import classes from "./keys.module.css";

const useRevocation = () =>
  useConfirmedAction({
    call: apiKeys.revoke,
    inputOf: ({ apiKeyId }: ApiKeyRow) => ({ apiKeyId }),
    invalidates: [apiKeys.list],
    success: "Key revoked",
    title: () => "Revoke API key",
    action: () => "Revoke",
    question: ({ keyName, email, isOwn, usedTime }) => (
      <>
        Are you sure you want to revoke this key?
        <p>
          Whatever uses <b>{keyName}</b> {isOwn ? "" : `of ${email} `}is refused from now on.{" "}
          {usedTime === null ? "It has not been used yet." : `It was last used ${recent(usedTime)}.`}
        </p>
      </>
    ),
  });

const rowKey = ({ apiKeyId }: ApiKeyRow) => apiKeyId;
const none: ApiKeyRow[] = [];

/** /apiKeys: the user's API keys, and to owner and admins those of the plant. */
export const ApiKeys = () => {
  const isWritable = useSession().can("keys.write");
  const { data, error, refetch } = useCall(apiKeys.list, {});
  useRecordsRefetch([apiKeys.list], ["apiKey"]);
  const { ask: revoke, dialog: revocation } = useRevocation();
  const form = useDialogSubject();
  const [made, setMade] = useState({ apiKey: "", isOpen: false });
  const hasOthers = data?.some(({ isOwn }) => !isOwn) ?? false;
  const columns = useMemo(
    () => keyColumns({ onRevoke: isWritable ? revoke : undefined, hasOthers }),
    [isWritable, revoke, hasOthers],
  );
  const rows = data ?? (error ? none : undefined);
  return (
    <div className={classes.screen}>
      <PageTitle
        aside={
          isWritable && (
            <Button size="xs" onClick={() => form.open()} data-shortcut="add">
              New API key
            </Button>
          )
        }
      >
        API keys
      </PageTitle>
      <p className={classes.intro}>
        Programs call the <a href="/api/docs">API</a> by a key instead of your password: each with its own name, role
        and end. What a key changes is in the audit log under your name and the key's.
      </p>
      <DataTable
        label="API keys"
        columns={columns}
        rows={rows}
        rowKey={rowKey}
        footer={
          error && !data ? (
            <ErrorState error={error} onRetry={() => void refetch()} />
          ) : (
            rows?.length === 0 && <p className={classes.intro}>There are no API keys</p>
          )
        }
      />
      {form.count > 0 && (
        <KeyDialog
          key={form.count}
          isOpen={form.isOpen}
          onClose={form.close}
          onMade={(apiKey) => setMade({ apiKey, isOpen: true })}
        />
      )}
      <SecretDialog
        isOpen={made.isOpen}
        onClose={() => setMade({ apiKey: "", isOpen: false })}
        title="New API key"
        intro="Copy it now: it is not shown again. Whoever has it may do what its role may."
        secret={made.apiKey}
      >
        <div className={classes.example}>
          Try it:
          <pre>{`curl -H "Authorization: Bearer ${made.apiKey}" ${location.origin}/api/key/holder`}</pre>
        </div>
      </SecretDialog>
      {revocation}
    </div>
  );
};
