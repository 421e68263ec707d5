import { Menu } from "@mantine/core";
import { IconCheck, IconChevronDown, IconLogout } from "@tabler/icons-react";
import type { AccountRow } from "@telltale/contract/accounts";
import { useState } from "react";
import { useSession } from "../../session/session.ts";
import classes from "./account-menu.module.css";
import { accountName, initials, inviter } from "./account-text.ts";
import { SignOutDialog } from "./sign-out-dialog.tsx";

const AccountEntry = ({ account, onChoose }: { account: AccountRow; onChoose: () => void }) => {
  const isCurrent = account.isShow === 1;
  return (
    <Menu.Item
      className={isCurrent ? classes.current : classes.account}
      leftSection={isCurrent ? <IconCheck size={17} stroke={2.2} aria-hidden /> : <i />}
      aria-current={isCurrent || undefined}
      onClick={isCurrent ? undefined : onChoose}
    >
      <b>{accountName(account)}</b>
      <small>{isCurrent ? `${account.accountNo}, current` : inviter(account)}</small>
    </Menu.Item>
  );
};

/** Who is signed in as what; opens the user's other accounts and the way out. */
export const AccountMenu = () => {
  const { user, account, changeAccount } = useSession();
  const [isAsking, setAsking] = useState(false);
  const name = accountName(account);
  return (
    <>
      <Menu position="bottom-end" width={336} offset={8} zIndex={310}>
        <Menu.Target>
          <button type="button" className={classes.target} aria-label={`Account: ${name}, ${user.email}`}>
            {user.avatar ? (
              <img className={classes.avatar} src={user.avatar} alt="" />
            ) : (
              <span className={classes.avatar}>{initials(user)}</span>
            )}
            <span className={classes.who}>
              <b>{name}</b>
              <span>{user.email}</span>
            </span>
            <IconChevronDown className={classes.chevron} size={18} stroke={1.6} aria-hidden />
          </button>
        </Menu.Target>
        <Menu.Dropdown className={classes.dropdown}>
          <Menu.Label className={classes.label}>Accounts</Menu.Label>
          {user.accounts.map((each) => (
            <AccountEntry key={each.accountId} account={each} onChoose={() => void changeAccount(each.accountId)} />
          ))}
          <Menu.Divider className={classes.divider} />
          <Menu.Item
            className={classes.action}
            leftSection={<IconLogout size={17} stroke={1.6} aria-hidden />}
            onClick={() => setAsking(true)}
          >
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <SignOutDialog isOpen={isAsking} onClose={() => setAsking(false)} />
    </>
  );
};
