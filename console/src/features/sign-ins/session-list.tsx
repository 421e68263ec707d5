import { Button } from "@mantine/core";
import { type SignInRow, signIns } from "@telltale/contract/sign-ins";
import { useMemo } from "react";
import { useSession } from "../../session/session.ts";
import { useCall } from "../../session/use-call.ts";
import { DataTable } from "../../table/data-table.tsx";
import { ErrorState } from "../../ui/message.tsx";
import { PageTitle } from "../../ui/page-title.tsx";
import { sessionColumns } from "./session-columns.tsx";
import { useEndOthers } from "./use-end-others.tsx";
import { useEndSession } from "./use-end-session.tsx";

const rowKey = ({ signInId }: SignInRow) => signInId;
const none: SignInRow[] = [];

/** Where the user is signed in, the latest used first. */
export const SessionList = () => {
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
