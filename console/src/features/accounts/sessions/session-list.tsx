import { type SignInRow, signIns } from "@telltale/contract/domains/people/sign-ins";
import { type ReactNode, useMemo, useState } from "react";
import { browserName } from "../../../domain/browser-name.ts";
import { useConfirmedAction } from "../../../form/use-confirmed-action.tsx";
import { useSession } from "../../../session/session.ts";
import { useAction, useCall } from "../../../session/use-call.ts";
import { DataTable } from "../../../table/data-table.tsx";
import { Button } from "../../../ui/control/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { recent } from "../../../ui/format/time.ts";
import { ErrorState } from "../../../ui/page/message.tsx";
import { PageTitle } from "../../../ui/page/page-title.tsx";
import { sessionColumns } from "./session-columns.tsx";
import classes from "./sign-ins.module.css";
import { SupportViews } from "./support-views.tsx";

/** Signs out all other sessions after a confirmation: `ask` opens it, `dialog` can be rendered anywhere on the page. */
const useEndOthers = (): { ask: () => void; dialog: ReactNode } => {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const { mutate, isPending } = useAction(signIns.endOthers, {
    success: "Signed out everywhere else",
    invalidates: [signIns.list],
    onDone: close,
  });
  return {
    ask: () => setOpen(true),
    dialog: (
      <ConfirmDialog
        isOpen={isOpen}
        onClose={close}
        title="Sign out everywhere else"
        action="Sign out"
        onConfirm={() => mutate({})}
        isBusy={isPending}
      >
        Are you sure you want to sign out everywhere else?
        <p>You stay signed in here.</p>
      </ConfirmDialog>
    ),
  };
};

/** Asks for confirmation before another session is ended: signing in again there requires the password. */
const useEndSession = () =>
  useConfirmedAction({
    call: signIns.end,
    inputOf: ({ signInId }: SignInRow) => ({ signInId }),
    invalidates: [signIns.list],
    success: "Signed out there",
    title: () => "Sign out there",
    action: () => "Sign out",
    question: ({ userAgent, address, usedTime }) => (
      <>
        Are you sure you want to sign out there?
        <p>
          <b>{browserName(userAgent)}</b>, {address}, last used {recent(usedTime)}. A screen that is open there goes to
          the login page.
        </p>
      </>
    ),
  });

const rowKey = ({ signInId }: SignInRow) => signInId;
const none: SignInRow[] = [];

/** The user's sessions, most recently used first. */
const SessionList = () => {
  const isWritable = useSession().can("profile.write");
  const { data, error, refetch } = useCall(signIns.list, {});
  const { ask: end, dialog: endDialog } = useEndSession();
  const others = useEndOthers();
  const columns = useMemo(() => sessionColumns(isWritable ? end : undefined), [isWritable, end]);
  const hasOthers = data?.some(({ isCurrent }) => !isCurrent) ?? false;
  const endOthers = isWritable && hasOthers && (
    <Button variant="default" size="xs" onClick={others.ask}>
      Sign out everywhere else
    </Button>
  );
  return (
    <>
      <PageTitle aside={endOthers}>Sessions</PageTitle>
      <DataTable
        label="Sessions"
        columns={columns}
        rows={data ?? (error ? none : undefined)}
        rowKey={rowKey}
        footer={error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      />
      {others.dialog}
      {endDialog}
    </>
  );
};

/** /signIns: the user's sessions and, for accounts that may read the audit log, the support views of the plant. */
export const SignIns = () => (
  <div className={classes.screen}>
    <SessionList />
    {useSession().can("audit.read") && <SupportViews />}
  </div>
);
