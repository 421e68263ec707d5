import { IconCheck, IconPlus } from "@tabler/icons-react";
import type { AccountRow } from "@telltale/contract/domains/people/accounts";
import { useSession } from "../../session/session.ts";
import { type Column, NarrowText } from "../../table/column.tsx";
import { DataTable } from "../../table/data-table.tsx";
import { Button } from "../../ui/control/button.tsx";
import { Missing } from "../../ui/format/missing.tsx";
import { PageTitle } from "../../ui/page/page-title.tsx";
import classes from "./linked-accounts.module.css";
import { accountName } from "./menu/account-text.ts";
import { useAccountChange } from "./menu/use-account-change.ts";

const rowKey = ({ accountId }: AccountRow) => accountId;

interface SwitchCellProps {
  account: AccountRow;
  /** The account that is being switched to. */
  changing: number | undefined;
  onSwitch: (accountId: number) => void;
}

/** The button that switches to another account; the current one is marked. */
const SwitchCell = ({ account, changing, onSwitch }: SwitchCellProps) =>
  account.isShow === 1 ? (
    <span className={classes.current}>
      <IconCheck size={17} stroke={2.2} aria-hidden />
      Current
    </span>
  ) : (
    <Button
      variant="default"
      size="xs"
      aria-label={`Switch to ${account.roleName} ${account.accountNo}`}
      loading={changing === account.accountId}
      disabled={changing !== undefined}
      onClick={() => onSwitch(account.accountId)}
    >
      Switch
    </Button>
  );

const columnsWith = (switching: Omit<SwitchCellProps, "account">): Column<AccountRow>[] => [
  {
    key: "role",
    head: "ROLE",
    width: 300,
    narrow: "top-main",
    cell: (account) => (
      <span className={account.isShow === 1 ? classes.inUse : classes.role} title={accountName(account)}>
        {accountName(account)}
      </span>
    ),
  },
  { key: "number", head: "ACCOUNT NUMBER", width: 150, narrow: "below", cell: ({ accountNo }) => accountNo },
  {
    key: "inviter",
    head: "INVITED BY",
    width: 220,
    narrow: "below-main",
    cell: ({ createdBy }) =>
      createdBy ? (
        <span className={classes.inviter} title={createdBy}>
          <NarrowText>invited by</NarrowText>
          {createdBy}
        </span>
      ) : (
        <span className={classes.nobody}>
          <Missing />
        </span>
      ),
  },
  {
    key: "switch",
    head: "OPERATION",
    width: 110,
    align: "end",
    narrow: "top-end",
    cell: (account) => <SwitchCell account={account} {...switching} />,
  },
];

/** /associatedAccount: the user's accounts to switch between. (spec 2 §2) */
export const LinkedAccounts = ({ onCreate }: { onCreate: () => void }) => {
  const { user, can } = useSession();
  const { changing, change } = useAccountChange();
  const columns = columnsWith({ changing, onSwitch: (accountId) => void change(accountId) });
  const create = can("accounts.create") && (
    <Button variant="default" size="xs" leftSection={<IconPlus size={16} aria-hidden />} onClick={onCreate}>
      Create a new admin account
    </Button>
  );
  return (
    <div className={classes.screen}>
      <PageTitle aside={create}>Linked Accounts</PageTitle>
      <DataTable label="Linked Accounts" columns={columns} rows={user.accounts} rowKey={rowKey} />
    </div>
  );
};
